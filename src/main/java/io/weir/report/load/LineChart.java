package io.weir.report.load;

import io.weir.report.svg.HtmlText;
import io.weir.report.svg.LogScale;
import io.weir.report.svg.Svg;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Lines through points on two scales, each linear from 0 or logarithmic, as an SVG picture without
 * script. A line's colour is that of its style, a class of {@code report.css} or {@code load.css};
 * a shape at each point tells lines apart without colours.
 *
 * @param title for readers who cannot see it
 * @param x to the right
 * @param y upwards
 * @param lines drawn in this order
 */
record LineChart(String title, Axis x, Axis y, List<Line> lines) {

  static final int WIDTH = 720;
  static final int HEIGHT = 330;
  private static final int LEFT = 58;
  private static final int RIGHT = 18;
  private static final int TOP = 16;
  private static final int BOTTOM = 44;
  private static final int LEAST_TICKS = 4;
  private static final double NOTHING = 1e-9;

  /**
   * One direction.
   *
   * @param label with the unit
   * @param least what the scale reaches at least; on a linear scale
   */
  record Axis(String label, boolean logarithmic, double least) {}

  /**
   * A point.
   *
   * @param low the least value there
   * @param high the most
   */
  record Point(double x, double y, double low, double high) {

    /** One value. */
    static Point of(double x, double y) {
      return new Point(x, y, y, y);
    }
  }

  /**
   * A line.
   *
   * @param style its classes
   * @param shape an SVG path around the origin, at each point
   * @param joined whether the points are joined; else each is a bar from below
   */
  record Line(String style, Optional<String> shape, boolean joined, List<Point> points) {}

  /** A scale of either kind. */
  private interface Scale {
    double at(double value);

    List<Double> ticks();
  }

  /** Without points there is no picture. */
  boolean isEmpty() {
    return lines.stream().allMatch(line -> line.points().isEmpty());
  }

  /** The picture; {@code more} goes inside it, first. */
  String svg(String more) {
    Scale across = scale(x, Point::x, Point::x, LEFT, WIDTH - RIGHT);
    Scale up = scale(y, Point::low, Point::high, HEIGHT - BOTTOM, TOP);
    StringBuilder out = new StringBuilder();
    Svg.shape(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"load\" viewBox=\"0 0 %d %d\""
            + " role=\"img\" aria-label=\"%s\">",
        WIDTH,
        HEIGHT,
        HtmlText.escape(title));
    out.append(more);
    for (double tick : across.ticks()) {
      double at = across.at(tick);
      Svg.shape(
          out,
          "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>",
          at,
          at,
          TOP,
          HEIGHT - BOTTOM);
      text(out, "middle", at, HEIGHT - BOTTOM + 17, words(tick));
    }
    for (double tick : up.ticks()) {
      double at = up.at(tick);
      Svg.shape(
          out,
          "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
          LEFT,
          WIDTH - RIGHT,
          at,
          at);
      text(out, "end", LEFT - 7, at + 4, words(tick));
    }
    text(out, "end", WIDTH - RIGHT, HEIGHT - 8, x.label());
    text(out, "start", LEFT + 4, TOP - 4, y.label());
    for (Line line : lines) {
      append(out, line, across, up);
    }
    return out.append("</svg>\n").toString();
  }

  private void append(StringBuilder out, Line line, Scale across, Scale up) {
    Svg.shape(out, "<g class=\"%s\">", line.style());
    StringBuilder path = new StringBuilder();
    for (Point point : line.points()) {
      path.append(
          line.joined()
              ? String.format(
                  Locale.ROOT,
                  "%s%.1f %.1f",
                  path.isEmpty() ? "M" : "L",
                  across.at(point.x()),
                  up.at(point.y()))
              : String.format(
                  Locale.ROOT,
                  "M%.1f %dV%.1f",
                  across.at(point.x()),
                  HEIGHT - BOTTOM,
                  up.at(point.y())));
    }
    Svg.shape(out, "<path class=\"line\" d=\"%s\"/>", path);
    for (Point point : line.points()) {
      if (point.high() > point.low()) {
        Svg.shape(
            out,
            "<path class=\"whisker\" d=\"M%.1f %.1fV%.1f\"/>",
            across.at(point.x()),
            up.at(point.low()),
            up.at(point.high()));
      }
      line.shape()
          .ifPresent(
              shape ->
                  Svg.shape(
                      out,
                      "<path class=\"dot\" transform=\"translate(%.1f %.1f)\" d=\"%s\"/>",
                      across.at(point.x()),
                      up.at(point.y()),
                      shape));
    }
    out.append("</g>\n");
  }

  private Scale scale(
      Axis axis,
      ToDoubleFunction<Point> low,
      ToDoubleFunction<Point> high,
      double from,
      double to) {
    List<Point> points = lines.stream().flatMap(line -> line.points().stream()).toList();
    double most = points.stream().mapToDouble(high).max().orElse(1);
    if (axis.logarithmic()) {
      double least = points.stream().mapToDouble(low).filter(v -> v > 0).min().orElse(1);
      LogScale scale = LogScale.round(least, Math.max(most, least), from, to);
      return new Scale() {
        @Override
        public double at(double value) {
          return scale.at(Math.max(NOTHING, value));
        }

        @Override
        public List<Double> ticks() {
          return scale.ticks();
        }
      };
    }
    double end = Math.max(axis.least(), most);
    double step = step(end);
    return new Scale() {
      @Override
      public double at(double value) {
        return from + (to - from) * Math.clamp(value / end, 0, 1);
      }

      @Override
      public List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; i * step <= end * 1.000001; i++) {
          ticks.add(i * step);
        }
        return ticks;
      }
    };
  }

  /** 1, 2 or 5 times a power of ten. */
  private static double step(double end) {
    double decade = Math.pow(10, Math.floor(Math.log10(Math.max(NOTHING, end))));
    for (double step : new double[] {decade, decade / 2, decade / 5}) {
      if (end / step >= LEAST_TICKS) {
        return step;
      }
    }
    return decade / 10;
  }

  private static String words(double tick) {
    return LoadTables.plain(Math.round(tick * 1e6) / 1e6);
  }

  private static void text(StringBuilder out, String anchor, double x, double y, String text) {
    Svg.shape(
        out,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        x,
        y,
        anchor,
        HtmlText.escape(text));
  }
}
