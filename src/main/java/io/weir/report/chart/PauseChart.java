package io.weir.report.chart;

import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Note;
import io.weir.report.chart.Chart.Series;
import io.weir.report.model.Timelines;
import io.weir.report.model.Timelines.GcPause;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Makes the chart of collector pauses: a point for each pause, at its start. */
final class PauseChart {
  private PauseChart() {}

  /** Whether the arm's JVM reported its pauses, even if it had none. */
  static boolean reported(Part arm, Timelines timelines) {
    return arm.get(ArmFigures.GC_PAUSES, Phase.DURING).isPresent()
        || !timelines.gcPauses(arm).isEmpty();
  }

  /**
   * Draws the arm's pauses, or, when there are more than {@code limit}, the longest of each of
   * {@code limit} equal groups of neighbours.
   */
  static Chart of(Part arm, Timelines timelines, int limit) {
    List<GcPause> sorted = new ArrayList<>(timelines.gcPauses(arm));
    sorted.sort(Comparator.comparingLong(GcPause::startNanos));
    int group = Math.max(1, (sorted.size() + limit - 1) / limit);
    List<Double> x = new ArrayList<>();
    List<Double> millis = new ArrayList<>();
    List<Note> notes = new ArrayList<>();
    for (int from = 0; from < sorted.size(); from += group) {
      GcPause longest = longest(sorted.subList(from, Math.min(from + group, sorted.size())));
      x.add(longest.startNanos() / 1e9);
      millis.add(longest.durationNanos() / 1e6);
      notes.add(note(longest));
    }
    String summary = reported(arm, timelines) ? summary(sorted) : Chart.NOT_MEASURED;
    if (group > 1) {
      summary += "; only the longest of every %d is drawn".formatted(group);
    }
    return new Chart(
        "pauses",
        "Collector pauses",
        summary,
        110,
        Axis.seconds(0, 1),
        Axis.log("ms", 0.01),
        Optional.empty(),
        List.of(Series.of("pause", "pause", "rose", Form.DOT, x, millis).noted(notes)),
        List.of(),
        List.of());
  }

  private static String summary(List<GcPause> rows) {
    if (rows.isEmpty()) {
      return "no pauses";
    }
    GcPause longest = longest(rows);
    double totalMillis = rows.stream().mapToLong(GcPause::durationNanos).sum() / 1e6;
    return "%s, %s ms in total; the longest took %s ms, at %s"
        .formatted(
            Figures.count(rows.size(), "pause"),
            Figures.brief(totalMillis),
            Figures.brief(longest.durationNanos() / 1e6),
            Figures.seconds(longest.startNanos() / 1e9));
  }

  private static GcPause longest(List<GcPause> rows) {
    return rows.stream().max(Comparator.comparingLong(GcPause::durationNanos)).orElseThrow();
  }

  /** {@code GC Pause, 4.1 ms (G1New, G1 Evacuation Pause)}. */
  private static Note note(GcPause pause) {
    String note = "%s, %s ms".formatted(pause.name(), Figures.brief(pause.durationNanos() / 1e6));
    return new Note(
        "",
        pause.collector().isEmpty()
            ? note
            : "%s (%s, %s)".formatted(note, pause.collector(), pause.cause()));
  }
}
