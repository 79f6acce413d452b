package io.weir.report.chart;

import io.weir.report.chart.Axis.Tick;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Note;
import io.weir.report.chart.Chart.Series;
import io.weir.report.chart.Chart.Whisker;
import io.weir.report.model.ReopenPart;
import io.weir.report.model.SlowestReopens;
import io.weir.report.model.SlowestReopens.Slow;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A bar for each of the slowest reopens of one arm, cut into the parts of a reopen. Each arm has
 * its own scale, so that the parts of fast reopens stay visible; a bar above the others compares
 * the slowest of the arm with the slowest of all arms.
 */
public final class SlowestChart {

  private static final int ROW_PIXELS = 22;
  private static final int STRIP_PIXELS = 10;

  /** Leaves room for the figure beside the longest bar. */
  private static final double HEADROOM = 1.02;

  private SlowestChart() {}

  /**
   * The charts of one arm, one below the other.
   *
   * @param rounds whether a bar names its round
   * @param mostMillis the slowest of all arms; empty for a run of one arm
   */
  public static List<Chart> of(
      SlowestReopens arm, String summary, boolean rounds, Optional<Double> mostMillis) {
    double ownMillis = arm.slowest().getFirst().latencyNanos() / 1e6;
    List<Chart> charts = new ArrayList<>();
    mostMillis.ifPresent(most -> charts.add(strip(ownMillis, most)));
    List<Slow> slowest = arm.slowest();
    List<Tick> rows =
        IntStream.range(0, slowest.size())
            .mapToObj(row -> new Tick(row + 0.5, when(slowest.get(row), rounds)))
            .toList();
    List<Bar> bars = new ArrayList<>();
    for (int row = 0; row < slowest.size(); row++) {
      double from = 0;
      for (Map.Entry<ReopenPart, Long> part : slowest.get(row).reopen().parts().entrySet()) {
        double millis = part.getValue() / 1e6;
        String brief = Integer.toString(part.getKey().number());
        String words = part.getKey().label() + " " + Figures.brief(millis) + " ms";
        bars.add(new Bar(colour(part.getKey()), row, from, from + millis, new Note(brief, words)));
        from += millis;
      }
      bars.add(new Bar("ink", row, from, from, new Note(words(slowest.get(row)), "")));
    }
    charts.add(chart("bars", summary, ROW_PIXELS, rows, ownMillis, List.of(), bars));
    return charts;
  }

  /** What stands for {@code part} in a legend. */
  public static Series series(ReopenPart part) {
    return Series.of("", part.label(), colour(part), Form.SPAN, List.of(), List.of());
  }

  private static String colour(ReopenPart part) {
    return "part-" + part.number();
  }

  private record Bar(String colour, int row, double from, double to, Note note) {

    double y() {
      return row + 0.5;
    }
  }

  private static Series series(String colour, List<Bar> bars) {
    return Series.of(
            "",
            "",
            colour,
            Form.SPAN,
            bars.stream().map(Bar::from).toList(),
            bars.stream().map(Bar::y).toList())
        .within(bars.stream().map(b -> new Whisker(b.from(), b.to(), b.y(), b.y())).toList())
        .noted(bars.stream().map(Bar::note).toList());
  }

  private static Chart strip(double ownMillis, double mostMillis) {
    return chart(
        "strip",
        "",
        STRIP_PIXELS,
        List.of(new Tick(0.5, "all arms")),
        mostMillis,
        List.of(new Tick(0, "")),
        List.of(
            new Bar("ink", 0, 0, ownMillis, new Note("", "")),
            new Bar(
                "ink",
                0,
                mostMillis,
                mostMillis,
                new Note(Figures.brief(mostMillis) + " ms", ""))));
  }

  private static Chart chart(
      String id,
      String summary,
      int rowPixels,
      List<Tick> rows,
      double mostMillis,
      List<Tick> labels,
      List<Bar> bars) {
    return new Chart(
        id,
        "",
        summary,
        rows.size() * rowPixels,
        Axis.named("ms", 0, mostMillis * HEADROOM, labels),
        Axis.named("", rows.size(), 0, rows),
        Optional.empty(),
        bars.stream()
            .collect(Collectors.groupingBy(Bar::colour, LinkedHashMap::new, Collectors.toList()))
            .entrySet()
            .stream()
            .map(part -> series(part.getKey(), part.getValue()))
            .toList(),
        List.of(),
        List.of());
  }

  private static String when(Slow slow, boolean rounds) {
    String at = Figures.oneDecimal(slow.reopen().intendedNanos() / 1e9) + " s";
    return rounds ? "r" + slow.round() + " \u00b7 " + at : at;
  }

  private static String words(Slow slow) {
    return Figures.brief(slow.latencyNanos() / 1e6)
        + " ms"
        + (slow.reopen().failed() ? ", failed" : "");
  }
}
