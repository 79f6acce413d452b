package io.weir.report.chart;

import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Series;
import io.weir.report.model.ReopenRow;
import io.weir.report.words.Figures;
import io.weir.run.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Makes the chart of reopens: a point for each reopen, at its intended start. */
final class ReopenChart {

  /** Room above the slowest for the name of the merge. */
  private static final double HEADROOM = 2.5;

  private ReopenChart() {}

  /**
   * Draws {@code rows}. Of more than {@code limit} it draws the slowest of each of {@code limit}
   * equal groups of neighbours, and every failed one. The slow reopens that {@code causes} knows
   * are a series of their own, with notes.
   */
  static Chart of(List<ReopenRow> rows, SlowReopenCauses.OfArm causes, int limit) {
    List<ReopenRow> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparingLong(ReopenRow::intendedNanos));
    List<ReopenRow> drawn = thinned(sorted, limit);
    Predicate<ReopenRow> isSlow = row -> causes.note(row).isPresent();
    List<ReopenRow> slow = drawn.stream().filter(row -> !row.failed()).filter(isSlow).toList();
    String summary = sorted.isEmpty() ? Chart.NOT_MEASURED : summary(sorted);
    if (drawn.size() < sorted.size()) {
      summary +=
          "; only the slowest of every %d is drawn".formatted(groupSize(sorted.size(), limit));
    }
    if (!causes.key().isEmpty() && !sorted.isEmpty()) {
      summary += "; main causes of the slow ones: " + causes.key();
    }
    return new Chart(
        "reopens",
        "Reopen latency",
        summary,
        210,
        Axis.seconds(0, 1),
        Axis.log("ms", 0.1).headroom(HEADROOM),
        Optional.empty(),
        List.of(
            series(
                "latency",
                "latency",
                "purple",
                Form.DOT,
                drawn.stream().filter(row -> !row.failed()).filter(isSlow.negate()).toList()),
            series("slow", "slow, by cause", "wine", Form.SQUARE, slow)
                .noted(slow.stream().map(row -> causes.note(row).orElseThrow()).toList()),
            series(
                "failed",
                "failed",
                "red",
                Form.CROSS,
                drawn.stream().filter(ReopenRow::failed).toList())),
        List.of(),
        List.of());
  }

  private static Series series(
      String id, String label, String colour, Form form, List<ReopenRow> rows) {
    return Series.of(
        id,
        label,
        colour,
        form,
        rows.stream().map(row -> row.intendedNanos() / 1e9).toList(),
        // A reopen that never returned has no latency; its mark stands at the bottom of the chart.
        rows.stream().map(row -> row.latencyNanos().orElse(0) / 1e6).toList());
  }

  static List<ReopenRow> thinned(List<ReopenRow> sorted, int limit) {
    if (sorted.size() <= limit) {
      return sorted;
    }
    int group = groupSize(sorted.size(), limit);
    List<ReopenRow> kept = new ArrayList<>();
    for (int from = 0; from < sorted.size(); from += group) {
      List<ReopenRow> neighbours = sorted.subList(from, Math.min(from + group, sorted.size()));
      ReopenRow slowest =
          neighbours.stream()
              .max(Comparator.comparingLong(row -> row.latencyNanos().orElse(-1)))
              .orElseThrow();
      neighbours.stream().filter(row -> row.failed() || row == slowest).forEach(kept::add);
    }
    return kept;
  }

  private static int groupSize(int count, int limit) {
    return (count + limit - 1) / limit;
  }

  private static String summary(List<ReopenRow> rows) {
    Optional<ReopenRow> slowest =
        rows.stream()
            .filter(row -> row.latencyNanos().isPresent())
            .max(Comparator.comparingLong(row -> row.latencyNanos().getAsLong()));
    StringBuilder text = new StringBuilder(Figures.count(rows.size(), "reopen"));
    long during = rows.stream().filter(row -> row.phase().equals(Phase.DURING.label())).count();
    if (during > 0) {
      text.append(", ").append(during).append(" during the merge");
    }
    slowest.ifPresent(
        row ->
            text.append("; the slowest took ")
                .append(Figures.brief(row.latencyNanos().getAsLong() / 1e6))
                .append(" ms, at ")
                .append(Figures.seconds(row.intendedNanos() / 1e9)));
    long failures = rows.stream().filter(ReopenRow::failed).count();
    if (failures > 0) {
      text.append("; ").append(failures).append(" failed");
    }
    return text.toString();
  }
}
