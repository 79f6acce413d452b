package io.weir.report.chart;

import io.weir.report.model.Samples;
import io.weir.report.words.Figures;
import java.util.Collection;
import java.util.OptionalLong;

/**
 * Which of the kernel's thresholds are drawn beside the dirty bytes. A threshold far above the
 * highest curve would flatten the curve, so the chart names it instead.
 *
 * @param showsBackground the level above which the kernel writes back in the background
 * @param showsThreshold the level above which it makes writers wait
 */
record DirtyView(boolean showsBackground, boolean showsThreshold) {
  static final String BACKGROUND = "dirty_background_threshold_bytes";
  static final String THRESHOLD = "dirty_threshold_bytes";

  /** A threshold is drawn up to this multiple of the highest curve. */
  private static final double REACH = 1.6;

  /** Decides over all arms, whose charts share one scale. */
  static DirtyView of(Collection<Samples> arms) {
    long highest = 0;
    for (Samples samples : arms) {
      highest = Math.max(highest, largest(samples, "dirty_bytes").orElse(0));
      highest = Math.max(highest, largest(samples, "writeback_bytes").orElse(0));
    }
    double reach = highest * REACH;
    return new DirtyView(within(arms, BACKGROUND, reach), within(arms, THRESHOLD, reach));
  }

  /** Names the thresholds that are not drawn; empty when all are drawn. */
  String note(Samples samples) {
    StringBuilder note = new StringBuilder();
    OptionalLong background = largest(samples, BACKGROUND);
    OptionalLong threshold = largest(samples, THRESHOLD);
    if (!showsBackground && background.isPresent()) {
      note.append("; background threshold ").append(Figures.bytes(background.getAsLong()));
    }
    if (!showsThreshold && threshold.isPresent()) {
      note.append(note.isEmpty() ? "; threshold " : " and threshold ");
      note.append(Figures.bytes(threshold.getAsLong()));
    }
    return note.isEmpty() ? "" : note.append(", off the chart").toString();
  }

  private static boolean within(Collection<Samples> arms, String column, double reach) {
    return arms.stream()
        .map(samples -> largest(samples, column))
        .allMatch(value -> value.isEmpty() || value.getAsLong() <= reach);
  }

  private static OptionalLong largest(Samples samples, String column) {
    OptionalLong largest = OptionalLong.empty();
    for (int row = 0; row < samples.size(); row++) {
      OptionalLong value = samples.value(column, row);
      if (value.isPresent() && value.getAsLong() > largest.orElse(Long.MIN_VALUE)) {
        largest = value;
      }
    }
    return largest;
  }
}
