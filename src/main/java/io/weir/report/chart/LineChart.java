package io.weir.report.chart;

import java.util.List;

/**
 * A chart of lines over one x.
 *
 * @param title what it shows
 * @param summary the same in a sentence, for readers who cannot see it
 * @param unit of values on the left scale
 * @param rightUnit of values on the right scale; blank without one
 * @param time whether x is seconds since 1970, in UTC, to be shown as dates; else plain seconds
 * @param x ascending
 * @param series the lines
 * @param bands spans of x to be shaded
 * @param marks moments that have a name
 */
public record LineChart(
    String title,
    String summary,
    String unit,
    String rightUnit,
    boolean time,
    List<Double> x,
    List<Series> series,
    List<Band> bands,
    List<Mark> marks) {

  /** How a series is drawn. */
  public enum Form {
    /** A line. */
    LINE,
    /** A dashed line. */
    DASHED,
    /** A point for each value and a line between them. */
    BOTH
  }

  /**
   * One line.
   *
   * @param colour a name in the style of the report, such as {@code --blue}
   * @param right whether it belongs to the right scale
   * @param values one for each x; NaN where there is none
   */
  public record Series(
      String label, String colour, Form form, boolean right, List<Double> values) {}

  /** A span of x. */
  public record Band(double from, double to) {}

  /**
   * A moment.
   *
   * @param colour a name in the style of the report
   * @param strong whether it is a finding, and not only a fact
   */
  public record Mark(double x, String label, String colour, boolean strong) {}
}
