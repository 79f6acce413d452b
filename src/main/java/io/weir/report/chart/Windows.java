package io.weir.report.chart;

import io.weir.report.model.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Samples cut into windows of time. A window has the largest value of a gauge and the rate of a
 * counter. The largest of all samples is the largest of some window, so a long run loses no peak.
 *
 * <p>A window ends at the first sample at least {@code widthNanos} after the end of the previous
 * window. The remainder belongs to the last window. The first sample is a window of its own and has
 * no rate.
 */
final class Windows {
  private final Samples samples;
  private final int[] last;

  Windows(Samples samples, long widthNanos) {
    this.samples = samples;
    List<Integer> ends = new ArrayList<>();
    for (int row = 0; row < samples.size(); row++) {
      if (ends.isEmpty()
          || samples.timeNanos(row) - samples.timeNanos(ends.get(ends.size() - 1)) >= widthNanos) {
        ends.add(row);
      }
    }
    int lastRow = samples.size() - 1;
    if (!ends.isEmpty() && ends.get(ends.size() - 1) < lastRow) {
      // A rate over the short remainder would be mostly noise, so the last window takes it.
      if (ends.size() > 1) {
        ends.remove(ends.size() - 1);
      }
      ends.add(lastRow);
    }
    this.last = ends.stream().mapToInt(Integer::intValue).toArray();
  }

  int size() {
    return last.length;
  }

  /** The end of the window, in seconds since the arm began to measure. */
  double endSeconds(int window) {
    return samples.timeNanos(last[window]) / 1e9;
  }

  /** The largest value in the window; empty when no sample in it has the column. */
  OptionalLong largest(String column, int window) {
    OptionalLong largest = OptionalLong.empty();
    int from = window == 0 ? 0 : last[window - 1] + 1;
    for (int row = from; row <= last[window]; row++) {
      OptionalLong value = samples.value(column, row);
      if (value.isPresent() && (largest.isEmpty() || value.getAsLong() > largest.getAsLong())) {
        largest = value;
      }
    }
    return largest;
  }

  /** Growth of a counter over the window; empty unless it is known at both ends. */
  OptionalLong growth(String column, int window) {
    if (window == 0) {
      return OptionalLong.empty();
    }
    OptionalLong from = samples.value(column, last[window - 1]);
    OptionalLong to = samples.value(column, last[window]);
    boolean known = from.isPresent() && to.isPresent() && to.getAsLong() >= from.getAsLong();
    return known ? OptionalLong.of(to.getAsLong() - from.getAsLong()) : OptionalLong.empty();
  }

  /** Growth per second over the window, in the counter's unit. */
  OptionalDouble perSecond(String column, int window) {
    OptionalLong growth = growth(column, window);
    if (growth.isEmpty()) {
      return OptionalDouble.empty();
    }
    double seconds = endSeconds(window) - endSeconds(window - 1);
    return seconds > 0 ? OptionalDouble.of(growth.getAsLong() / seconds) : OptionalDouble.empty();
  }
}
