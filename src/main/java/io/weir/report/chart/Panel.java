package io.weir.report.chart;

import java.util.List;

/**
 * The content of one chart of one arm.
 *
 * @param kind which chart
 * @param summary what it shows in one sentence, for readers who cannot see or hover
 * @param xSeconds the times of the points, ascending
 * @param columns the values of each series of {@link Kind#series} at each x; NaN where there is no
 *     value; a series without any value is not drawn
 * @param notes a note for each x, blank where there is none; empty when no point has a note. The
 *     script shows the note under the pointer, and draws the first word of notes on slow reopens
 */
public record Panel(
    Kind kind,
    String summary,
    List<Double> xSeconds,
    List<List<Double>> columns,
    List<String> notes) {

  /** A chart without notes. */
  Panel(Kind kind, String summary, List<Double> xSeconds, List<List<Double>> columns) {
    this(kind, summary, xSeconds, columns, List.of());
  }

  /** The text in place of a chart without values. */
  public static final String NOT_MEASURED = "not measured";

  /** The charts, from top to bottom. The page's script knows the form of each by its id. */
  public enum Kind {
    REOPENS("reopens", "Reopen latency", "latency", "slow", "failed"),
    SEARCHES("searches", "Searches", "rate", "slowest"),
    PAUSES("pauses", "Collector pauses", "pause"),
    DIRTY("dirty", "Dirty pages", "dirty", "writeback", "background-threshold", "threshold"),
    MERGE("merge", "Merge writes", "rate", "cap", "paused"),
    GOAL("goal", "Latency goal", "seen", "limit", "rate", "floor"),
    PRESSURE("pressure", "Disk pressure", "some", "full"),
    MEMORY("memory", "Memory", "resident", "committed", "used", "collections");

    private final String id;
    private final String title;
    private final List<String> series;

    Kind(String id, String title, String... series) {
      this.id = id;
      this.title = title;
      this.series = List.of(series);
    }

    public String id() {
      return id;
    }

    public String title() {
      return title;
    }

    public List<String> series() {
      return series;
    }
  }

  /** False when there is nothing to draw. */
  public boolean measured() {
    return columns.stream().flatMap(List::stream).anyMatch(Panel::isMeasured);
  }

  /** The largest value of series {@code index}; negative infinity when it has none. */
  public double largest(int index) {
    return columns.get(index).stream()
        .filter(Panel::isMeasured)
        .mapToDouble(Double::doubleValue)
        .max()
        .orElse(Double.NEGATIVE_INFINITY);
  }

  /** The smallest value of series {@code index}; infinity when it has none. */
  double least(int index) {
    return columns.get(index).stream()
        .filter(Panel::isMeasured)
        .mapToDouble(Double::doubleValue)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** When series {@code index} is largest, in seconds; 0 when it has no value. */
  double secondsOfLargest(int index) {
    int at = columns.get(index).indexOf(largest(index));
    return at < 0 ? 0 : xSeconds.get(at);
  }

  /** The mean of the values of series {@code index}; NaN when it has none. */
  double mean(int index) {
    return columns.get(index).stream()
        .filter(Panel::isMeasured)
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(Double.NaN);
  }

  private static boolean isMeasured(double value) {
    return !Double.isNaN(value);
  }
}
