package io.weir.report.chart;

import io.weir.report.model.GcPauseRow;
import io.weir.report.model.Timelines;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Makes the chart of collector pauses: a point for each pause, at its start. */
final class GcPausePanel {
  private GcPausePanel() {}

  /** Whether the arm's JVM reported its pauses, even if it had none. */
  static boolean reported(Part arm, Timelines timelines) {
    return arm.get(ArmFigures.GC_PAUSES, Phase.DURING).isPresent()
        || !timelines.gcPauses(arm).isEmpty();
  }

  /**
   * Draws the arm's pauses, or, when there are more than {@code limit}, the longest of each of
   * {@code limit} equal groups of neighbours.
   */
  static Panel of(Part arm, Timelines timelines, int limit) {
    List<GcPauseRow> sorted = new ArrayList<>(timelines.gcPauses(arm));
    sorted.sort(Comparator.comparingLong(GcPauseRow::startNanos));
    int group = Math.max(1, (sorted.size() + limit - 1) / limit);
    List<Double> x = new ArrayList<>();
    List<Double> millis = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (int from = 0; from < sorted.size(); from += group) {
      GcPauseRow longest = longest(sorted.subList(from, Math.min(from + group, sorted.size())));
      x.add(longest.startNanos() / 1e9);
      millis.add(longest.durationNanos() / 1e6);
      notes.add(note(longest));
    }
    String summary = reported(arm, timelines) ? summary(sorted) : Panel.NOT_MEASURED;
    if (group > 1) {
      summary += "; only the longest of every %d is drawn".formatted(group);
    }
    return new Panel(Panel.Kind.PAUSES, summary, x, List.of(millis), notes);
  }

  private static String summary(List<GcPauseRow> rows) {
    if (rows.isEmpty()) {
      return "no pauses";
    }
    GcPauseRow longest = longest(rows);
    double totalMillis = rows.stream().mapToLong(GcPauseRow::durationNanos).sum() / 1e6;
    return "%s, %s ms in total; the longest took %s ms, at %s"
        .formatted(
            Figures.count(rows.size(), "pause"),
            Figures.brief(totalMillis),
            Figures.brief(longest.durationNanos() / 1e6),
            Figures.seconds(longest.startNanos() / 1e9));
  }

  private static GcPauseRow longest(List<GcPauseRow> rows) {
    return rows.stream().max(Comparator.comparingLong(GcPauseRow::durationNanos)).orElseThrow();
  }

  /** {@code GC Pause, 4.1 ms (G1New, G1 Evacuation Pause)}. */
  private static String note(GcPauseRow pause) {
    String note = "%s, %s ms".formatted(pause.name(), Figures.brief(pause.durationNanos() / 1e6));
    return pause.collector().isEmpty()
        ? note
        : "%s (%s, %s)".formatted(note, pause.collector(), pause.cause());
  }
}
