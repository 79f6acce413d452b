package io.weir.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * One chart, whatever draws it: {@code SvgPainter} makes a picture of it, the script of the page a
 * chart to point at.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param id which chart of an arm it is, such as {@code reopens}; blank for others
 * @param title what it shows
 * @param summary the same in a sentence, for readers who cannot see it
 * @param height of the plot, in pixels
 * @param right empty unless a series is on the right scale
 * @param series drawn in this order; those without a value are not drawn
 * @param bands spans of x
 * @param marks lines across the plot that have a name
 */
public record Chart(
    String id,
    String title,
    String summary,
    int height,
    Axis x,
    Axis left,
    Optional<Axis> right,
    List<Series> series,
    List<Band> bands,
    List<Mark> marks) {

  /** The text in place of a chart without values. */
  public static final String NOT_MEASURED = "not measured";

  /** Of so many dots, one may be below the scale; it is drawn at its beginning. */
  private static final int FEW = 20;

  /** How a series is drawn. */
  public enum Form {
    LINE,
    DASHED,
    /** A line with a light area below it. */
    FILLED,
    /** A light area with a thin line above it. */
    AREA,
    DOT,
    SQUARE,
    CROSS,
    /** A short line at the bottom, whatever the value. */
    TICK,
    /** A line from the bottom. */
    BAR,
    /** A bar along x, as far as the whisker; a value without a width has its note behind it. */
    SPAN,
    /** The shape of the series at each value. */
    SHAPE,
    /** Likewise, with a line between them. */
    BOTH
  }

  /**
   * What tells a series apart without a colour.
   *
   * @param path around the origin, about ten pixels wide, as SVG writes it
   */
  public record Shape(String path, boolean isHollow) {}

  /**
   * Words at a point.
   *
   * @param brief beside the point, if there is room; may be blank
   * @param words for who points at it
   */
  public record Note(String brief, String words) {}

  /** How far a point may be off. */
  public record Whisker(double lowX, double highX, double lowY, double highY) {}

  /**
   * One line, or the points of one kind.
   *
   * @param id its name in the data
   * @param label its name in the legend; blank to leave it out there
   * @param colour a name in the style of the report, such as {@code blue}
   * @param x ascending, unless it is only painted
   * @param y one for each x; NaN is a gap
   * @param isRight whether it belongs to the right scale
   * @param shape empty unless the form needs one, or an arm has one
   * @param whiskers one for each x, or none
   * @param notes one for each x, or none
   * @param end words in the margin beside its last point; may be blank
   */
  public record Series(
      String id,
      String label,
      String colour,
      Form form,
      List<Double> x,
      List<Double> y,
      boolean isRight,
      Optional<Shape> shape,
      List<Whisker> whiskers,
      List<Note> notes,
      String end) {

    /** A plain one on the left scale. */
    public static Series of(
        String id, String label, String colour, Form form, List<Double> x, List<Double> y) {
      return new Series(
          id, label, colour, form, x, y, false, Optional.empty(), List.of(), List.of(), "");
    }

    /** This one drawn otherwise. */
    Series as(Form other) {
      return new Series(id, label, colour, other, x, y, isRight, shape, whiskers, notes, end);
    }

    /** This one on the right scale, or on the left. */
    public Series onTheRight(boolean right) {
      return new Series(id, label, colour, form, x, y, right, shape, whiskers, notes, end);
    }

    /** This one with a shape. */
    public Series shaped(Shape ofSeries) {
      return new Series(
          id, label, colour, form, x, y, isRight, Optional.of(ofSeries), whiskers, notes, end);
    }

    /** This one with its ranges; no points have none. */
    public Series within(List<Whisker> ranges) {
      return new Series(id, label, colour, form, x, y, isRight, shape, ranges, notes, end);
    }

    /** This one with words at its points. */
    public Series noted(List<Note> words) {
      return new Series(id, label, colour, form, x, y, isRight, shape, whiskers, words, end);
    }

    /** This one with words in the margin beside its last point. */
    public Series ending(String words) {
      return new Series(id, label, colour, form, x, y, isRight, shape, whiskers, notes, words);
    }

    /** Whether it has a value. */
    public boolean isMeasured() {
      return values().findAny().isPresent();
    }

    DoubleStream values() {
      return y.stream().mapToDouble(Double::doubleValue).filter(value -> !Double.isNaN(value));
    }

    /** The values that a scale must hold: of many dots not the lowest few. */
    private Stream<Double> scaled() {
      List<Double> sorted = values().sorted().boxed().toList();
      return form == Form.DOT
          ? sorted.subList(sorted.size() / FEW, sorted.size()).stream()
          : sorted.stream();
    }

    /** The largest value; negative infinity when it has none. */
    public double largest() {
      return values().max().orElse(Double.NEGATIVE_INFINITY);
    }

    /** The smallest value; infinity when it has none. */
    double least() {
      return values().min().orElse(Double.POSITIVE_INFINITY);
    }

    /** Where it is largest; 0 when it has no value. */
    double xOfLargest() {
      int at = y.indexOf(largest());
      return at < 0 ? 0 : x.get(at);
    }

    /** The mean of its values; NaN when it has none. */
    double mean() {
      return values().average().orElse(Double.NaN);
    }
  }

  /**
   * A span of x.
   *
   * @param label over it; may be blank
   * @param colour of a thin bar at the top; empty to shade the whole height
   */
  public record Band(double from, double to, String label, Optional<String> colour) {

    /** A shaded span. */
    public static Band shaded(double from, double to, String label) {
      return new Band(from, to, label, Optional.empty());
    }
  }

  /**
   * A line across the plot.
   *
   * @param at its place
   * @param isLevel whether it is a level of y, and not a moment
   * @param isStrong whether it is a finding, and not only a fact
   */
  public record Mark(double at, String label, String colour, boolean isLevel, boolean isStrong) {}

  /** False when there is nothing to draw. */
  public boolean isMeasured() {
    return series.stream().anyMatch(Series::isMeasured);
  }

  /** The series that a legend names. */
  public List<Series> named() {
    return series.stream().filter(line -> line.isMeasured() && !line.label().isEmpty()).toList();
  }

  /** The series called {@code name}. */
  public Series series(String name) {
    return series.stream().filter(one -> one.id().equals(name)).findFirst().orElseThrow();
  }

  /** The unit of {@code one} of its series. */
  public String unit(Series one) {
    return one.isRight() ? right.orElseThrow().unit() : left.unit();
  }

  /**
   * This chart with these series of it alone, without their notes. Were they on the right, their
   * scale is the left.
   */
  public Chart only(String newTitle, int newHeight, String... ids) {
    List<Series> few = Stream.of(ids).map(this::series).toList();
    Axis axis = few.getFirst().isRight() ? right.orElseThrow() : left;
    return new Chart(
        id,
        newTitle,
        summary,
        newHeight,
        x,
        axis,
        Optional.empty(),
        few.stream().map(one -> one.onTheRight(false).noted(List.of())).toList(),
        bands,
        marks);
  }

  /** This chart with bands and marks. */
  public Chart with(List<Band> spans, List<Mark> lines) {
    return new Chart(id, title, summary, height, x, left, right, series, spans, lines);
  }

  /** These charts with the scales that hold all their values, and the same end of x. */
  public static List<Chart> onOneScale(List<Chart> charts, Axis x) {
    List<Chart> fitted = new ArrayList<>();
    List<Double> left = charts.stream().flatMap(chart -> chart.values(false)).toList();
    List<Double> right = charts.stream().flatMap(chart -> chart.values(true)).toList();
    for (Chart chart : charts) {
      fitted.add(
          new Chart(
              chart.id,
              chart.title,
              chart.summary,
              chart.height,
              x,
              chart.left.around(left),
              chart.right.map(axis -> axis.around(right)),
              chart.series,
              chart.bands,
              chart.marks));
    }
    return fitted;
  }

  /** What a scale of y must hold. */
  private Stream<Double> values(boolean ofRight) {
    Stream<Double> ranges =
        series.stream()
            .filter(one -> one.isRight() == ofRight)
            .flatMap(one -> one.whiskers().stream())
            .flatMap(whisker -> Stream.of(whisker.lowY(), whisker.highY()));
    Stream<Double> levels = marks.stream().filter(mark -> mark.isLevel() && !ofRight).map(Mark::at);
    Stream<Double> points =
        series.stream()
            .filter(one -> one.isRight() == ofRight && one.form() != Form.TICK)
            .flatMap(Series::scaled);
    return Stream.of(points, ranges, levels).flatMap(values -> values);
  }

  /** The largest x of any series, or 0. */
  public double end() {
    return series.stream().flatMap(one -> one.x().stream()).max(Double::compare).orElse(0.0);
  }
}
