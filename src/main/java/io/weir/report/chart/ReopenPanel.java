package io.weir.report.chart;

import io.weir.report.model.ReopenRow;
import io.weir.report.words.Figures;
import io.weir.run.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Makes the chart of reopens: a point for each reopen, at its intended start. */
final class ReopenPanel {
  private ReopenPanel() {}

  /**
   * Draws {@code rows}. Of more than {@code limit} it draws the slowest of each of {@code limit}
   * equal groups of neighbours, and every failed one. The slow reopens that {@code marks} knows are
   * a series of their own, with notes.
   */
  static Panel of(List<ReopenRow> rows, SlowReopenMarks marks, int limit) {
    List<ReopenRow> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparingLong(ReopenRow::intendedNanos));
    List<Double> x = new ArrayList<>();
    List<Double> latency = new ArrayList<>();
    List<Double> slow = new ArrayList<>();
    List<Double> failed = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    List<ReopenRow> drawn = thinned(sorted, limit);
    for (ReopenRow row : drawn) {
      x.add(row.intendedNanos() / 1e9);
      OptionalLong nanos = row.latencyNanos();
      double millis = nanos.isPresent() ? nanos.getAsLong() / 1e6 : Double.NaN;
      Optional<String> note = row.failed() ? Optional.empty() : marks.note(row);
      notes.add(note.orElse(""));
      latency.add(row.failed() || note.isPresent() ? Double.NaN : millis);
      slow.add(note.isPresent() ? millis : Double.NaN);
      // A reopen that never returned has no latency; its mark stands at the bottom of the chart.
      failed.add(!row.failed() ? Double.NaN : nanos.isPresent() ? millis : 0);
    }
    String summary = summary(sorted);
    if (drawn.size() < sorted.size()) {
      summary +=
          "; only the slowest of every %d is drawn".formatted(groupSize(sorted.size(), limit));
    }
    if (!marks.key().isEmpty()) {
      summary += "; main causes of the slow ones: " + marks.key();
    }
    if (sorted.isEmpty()) {
      summary = Panel.NOT_MEASURED;
    }
    boolean noted = notes.stream().anyMatch(note -> !note.isEmpty());
    return new Panel(
        Panel.Kind.REOPENS, summary, x, List.of(latency, slow, failed), noted ? notes : List.of());
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
