package io.weir.report.svg;

import io.weir.report.chart.Axis.Tick;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Band;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Mark;
import io.weir.report.chart.Chart.Note;
import io.weir.report.chart.Chart.Series;
import io.weir.report.chart.Chart.Shape;
import io.weir.report.chart.Chart.Whisker;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Paints charts as SVG, without a script: one below the other, on one x.
 *
 * <p>Horizontal places are percentages and letters keep their size, so one picture fits a phone, a
 * wide screen and paper. The styles are in {@code chart.css}, the colours in {@code colours.css}.
 *
 * <p><b>Threads:</b> for one picture and thread.
 */
public final class SvgPainter {

  /** Above a plot, for its title or the name of its scale. */
  private static final int ABOVE = 28;

  /** Above a plot without words. */
  private static final int ABOVE_ROWS = 10;

  /** Below the last plot, for the labels and the name of x. */
  private static final int BELOW = 38;

  /** The width of curves, in units of their own. */
  private static final double UNITS = 1000;

  /** A curve does without a point that is nearer to the one before it, in these units. */
  private static final double UNSEEN = 0.7;

  /** About as wide as a picture is, in pixels: only for the room that words need. */
  private static final double WIDTH = 700;

  private static final double LETTER = 7; // about as wide as one is high
  private static final int LINE = 16;
  private static final int LETTERS_IN_MARGIN = 15;

  /** The height of a span, of what a row has. */
  private static final double SPAN_HEIGHT = 0.73;

  /** A unit of so many letters stands at the first label, a longer one at the end of the scale. */
  private static final int BRIEF = 2;

  /** The name of a band before this place begins where the band does. */
  private static final double EARLY_PERCENT = 20;

  /** A narrower span has no room for its number. */
  private static final double NUMBERED_PERCENT = 4.5;

  /** Offsets of words from their point, best first. */
  private static final double[][] PLACES = {
    {9, -7}, {9, 17}, {-9, -7}, {-9, 17}, {12, 4}, {-12, 4}, {9, -22}, {9, 32}, {-9, -22}, {-9, 32}
  };

  private final StringBuilder out;
  private final Chart chart;

  /** The top of the plot, in pixels. */
  private final int top;

  /** Where no words may stand, in pixels. */
  private final List<Rectangle2D> taken = new ArrayList<>();

  private SvgPainter(StringBuilder out, Chart chart, int top) {
    this.out = out;
    this.chart = chart;
    this.top = top;
  }

  /**
   * A picture for a page whose style has the colours; its class is the id of the last chart.
   *
   * @param label for readers who cannot see it
   */
  public static String inPage(String label, List<Chart> charts) {
    return String.format(
        Locale.ROOT,
        "<svg class=\"chart %s\" height=\"%d\" role=\"img\" aria-label=\"%s\">\n%s</svg>\n",
        charts.getLast().id(),
        height(charts),
        HtmlText.escape(label),
        elements(charts, charts.size() > 1));
  }

  /** The height of a picture of {@code charts}, in pixels. */
  static int height(List<Chart> charts) {
    return charts.stream().mapToInt(chart -> above(chart) + chart.height()).sum() + BELOW;
  }

  private static int above(Chart chart) {
    return chart.left().unit().isEmpty() ? ABOVE_ROWS : ABOVE;
  }

  /**
   * The elements of a picture as wide as what it stands in.
   *
   * @param titled whether a chart has its title, because nothing else tells it
   */
  static String elements(List<Chart> charts, boolean titled) {
    StringBuilder out = new StringBuilder();
    int top = 0;
    for (int i = 0; i < charts.size(); i++) {
      top += above(charts.get(i));
      new SvgPainter(out, charts.get(i), top).paint(i + 1 == charts.size(), titled);
      top += charts.get(i).height();
    }
    return out.toString();
  }

  /** The mark of a series in a legend, 14 pixels wide and high. */
  public static String mark(Series series) {
    String path =
        series
            .shape()
            .map(Shape::path)
            .orElseGet(
                () ->
                    switch (series.form()) {
                      case DASHED -> "M-7-1.5h5v3h-5zM2-1.5h5v3h-5z";
                      case DOT -> "M4 0a4 4 0 1 1-8 0a4 4 0 1 1 8 0z";
                      case SQUARE -> "M-4-4h8v8h-8z";
                      case CROSS -> CROSS;
                      case AREA, FILLED, SPAN -> "M-7-4h14v8h-14z";
                      case TICK, BAR -> "M-1.5-5h3v10h-3z";
                      default -> "M-7-1.5h14v3h-14z";
                    });
    return "<svg class=\"mark\" viewBox=\"-7 -7 14 14\" color=\"var(--%s)\" aria-hidden=\"true\"><path d=\"%s\"/></svg>"
        .formatted(series.colour(), path);
  }

  private static final String CROSS =
      "M-4.8-2.6L-2.6-4.8L0-2.2L2.6-4.8L4.8-2.6L2.2 0L4.8 2.6L2.6 4.8L0 2.2L-2.6 4.8L-4.8 2.6L-2.2"
          + " 0z";

  private void paint(boolean last, boolean titled) {
    for (Band band : chart.bands()) {
      band(band);
    }
    grid(last);
    String title = titled ? chart.title() : "";
    String unit = titled || chart.title().isEmpty() ? chart.left().unit() : "";
    text("start", "0", "", top - 9, title + (title.isEmpty() ? "" : ", ") + unit);
    if (!chart.isMeasured()) {
      text("absent", "50%", "", top + chart.height() / 2.0, Chart.NOT_MEASURED);
      return;
    }
    chart.marks().forEach(this::mark);
    for (Series series : chart.series()) {
      if (series.isMeasured()) {
        append("<g color=\"var(--%s)\">", series.colour());
        paint(series);
        out.append("</g>\n");
      }
    }
    chart.series().forEach(this::words); // over all lines
    ends();
  }

  private void grid(boolean labelled) {
    boolean brief = chart.x().unit().length() <= BRIEF;
    String unit = brief ? " " + chart.x().unit() : "";
    boolean rows = chart.series().stream().anyMatch(series -> series.form() == Form.SPAN);
    for (Tick tick : chart.left().ticks()) {
      double y = y(tick.value());
      if (!rows) {
        append("<line class=\"grid\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", y, y);
      }
      text("left", "0", " dx=\"-7\"", y + 4, tick.label());
    }
    for (Tick tick : chart.x().ticks()) {
      double x = x(tick.value());
      append(
          "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>",
          x, x, top, top + chart.height());
      if (labelled) {
        text("below", percent(x), "", top + chart.height() + 17, tick.label() + unit);
        unit = "";
      }
    }
    if (labelled && !brief) {
      text("left", "100%", "", top + chart.height() + 33, chart.x().unit());
    }
  }

  private void band(Band band) {
    double from = x(band.from());
    double to = x(band.to());
    append(
        "<rect class=\"band\" x=\"%.2f%%\" y=\"%d\" width=\"%.2f%%\" height=\"%d\"/>",
        from, top, to - from, chart.height());
    if (!band.label().isEmpty()) {
      boolean early = from + to < 2 * EARLY_PERCENT; // words in the middle would be cut
      text(
          early ? "merge early" : "merge",
          percent(early ? from : (from + to) / 2),
          "",
          top + 15,
          band.label());
    }
  }

  /** A level or a moment, with its name at its end. */
  private void mark(Mark mark) {
    String at = mark.isLevel() ? "" : percent(x(mark.at()));
    if (mark.isLevel()) {
      double y = y(mark.at());
      append("<line class=\"bound\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", y, y);
      text("bound left", "100%", " dx=\"-4\"", y - 5, mark.label());
      take(WIDTH - LETTER * mark.label().length() - 4, y - 2 - LINE, mark.label());
    } else {
      append(
          "<line class=\"bound\" x1=\"%s\" x2=\"%s\" y1=\"%d\" y2=\"%d\"/>",
          at, at, top, top + chart.height());
      text("bound", at, " dx=\"5\"", top + 12, mark.label());
      take(x(mark.at()) / 100 * WIDTH + 5, top + 15 - LINE, mark.label());
    }
  }

  private void paint(Series series) {
    switch (series.form()) {
      case LINE, DASHED, BOTH -> curve(series, series.form() == Form.DASHED ? "dashed" : "line");
      case FILLED, AREA -> {
        curve(series, "area");
        curve(series, "line");
      }
      case DOT -> curve(series, "dot");
      case SQUARE -> curve(series, "square");
      case BAR -> curve(series, "bar");
      case CROSS, SHAPE, SPAN, TICK -> {
        // Each value is an element of its own.
      }
    }
    for (int i = 0; i < series.x().size(); i++) {
      if (Double.isNaN(series.y().get(i))) {
        continue;
      }
      if (!series.whiskers().isEmpty() && series.form() != Form.SPAN) {
        whisker(series, i);
      }
      switch (series.form()) {
        case SPAN -> span(series, i);
        case CROSS -> shape(series, i, CROSS);
        case SHAPE, BOTH -> shape(series, i, series.shape().orElseThrow().path());
        default -> {
          // The curve has all values.
        }
      }
    }
  }

  /** A line with gaps where there is no value, or a stroke for each value. */
  private void curve(Series series, String style) {
    boolean joined = style.equals("line") || style.equals("dashed") || style.equals("area");
    StringBuilder path = new StringBuilder();
    double drawnX = Double.NaN;
    double drawnY = Double.NaN;
    for (int i = 0; i < series.x().size(); i++) {
      double x = x(series.x().get(i)) / 100 * UNITS;
      double y = y(series.y().get(i)) - top;
      boolean last = i + 1 == series.x().size();
      if (Double.isNaN(y)) {
        drawnX = Double.NaN;
      } else if (!joined) {
        path.append(place("M", x, y)).append(style.equals("bar") ? "V" + chart.height() : "h0");
      } else if (Double.isNaN(drawnX)) {
        path.append(style.equals("area") ? area(x) + place("L", x, y) : place("M", x, y));
      } else if (last || Math.hypot(x - drawnX, y - drawnY) >= UNSEEN) {
        path.append(place("L", x, y));
      } else {
        continue;
      }
      boolean ends = last || Double.isNaN(series.y().get(i + 1));
      if (style.equals("area") && !Double.isNaN(y) && ends) {
        path.append("V").append(chart.height()).append("z");
      }
      drawnX = Double.isNaN(y) ? Double.NaN : x;
      drawnY = y;
    }
    append(
        "<svg y=\"%d\" height=\"%d\" viewBox=\"0 0 %.0f %d\" preserveAspectRatio=\"none\"><path"
            + " class=\"%s\" d=\"%s\"/></svg>",
        top, chart.height(), UNITS, chart.height(), style, path);
  }

  private String area(double x) {
    return place("M", x, chart.height());
  }

  private static String place(String command, double x, double y) {
    return String.format(Locale.ROOT, "%s%.1f %.1f", command, x, y);
  }

  private void whisker(Series series, int i) {
    Whisker ends = series.whiskers().get(i);
    double x = x(series.x().get(i));
    double y = y(series.y().get(i));
    if (ends.highX() > ends.lowX()) {
      append(
          "<line class=\"whisker\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>",
          x(ends.lowX()), x(ends.highX()), y, y);
    }
    if (ends.highY() > ends.lowY()) {
      append(
          "<line class=\"whisker\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>",
          x, x, y(ends.lowY()), y(ends.highY()));
    }
  }

  private void shape(Series series, int i, String path) {
    double x = x(series.x().get(i));
    double y = y(series.y().get(i));
    append(
        "<svg class=\"mark%s\" x=\"%.2f%%\" y=\"%.1f\"><path d=\"%s\">%s</path></svg>",
        series.shape().filter(Shape::isHollow).isPresent() ? " hollow" : "",
        x,
        y,
        path,
        title(series, i));
    taken.add(new Rectangle2D.Double(x / 100 * WIDTH - 6, y - 6, 12, 12));
  }

  private static String title(Series series, int i) {
    return series.notes().isEmpty() || series.notes().get(i).words().isEmpty()
        ? ""
        : "<title>" + HtmlText.escape(series.notes().get(i).words()) + "</title>";
  }

  private void span(Series series, int i) {
    Whisker ends = series.whiskers().get(i);
    double from = x(ends.lowX());
    double width = x(ends.highX()) - from;
    double middle = y(series.y().get(i));
    String brief = series.notes().isEmpty() ? "" : series.notes().get(i).brief();
    if (width == 0) {
      text("behind", percent(from), " dx=\"6\"", middle + 4, brief);
      return;
    }
    double height = SPAN_HEIGHT * chart.height() / chart.left().ticks().size();
    append(
        "<rect class=\"span\" x=\"%.2f%%\" y=\"%.1f\" width=\"%.2f%%\" height=\"%.1f\">%s</rect>",
        from, middle - height / 2, width, height, title(series, i));
    if (width >= NUMBERED_PERCENT && !brief.isEmpty()) {
      text("within", percent(from + width / 2), "", middle + 4, brief);
    }
  }

  /** Writes the notes of {@code series} where they hide no point and no other words. */
  private void words(Series series) {
    boolean spans = series.form() == Form.SPAN;
    for (int i = 0; i < series.notes().size() && !spans; i++) {
      Note note = series.notes().get(i);
      if (!note.brief().isEmpty() && !Double.isNaN(series.y().get(i))) {
        words(x(series.x().get(i)), y(series.y().get(i)), note.brief());
      }
    }
  }

  private void words(double percent, double y, String text) {
    double x = percent / 100 * WIDTH;
    double width = LETTER * text.length();
    double[] chosen = PLACES[0];
    for (double[] place : PLACES) {
      double left = place[0] < 0 ? x + place[0] - width : x + place[0];
      Rectangle2D box = new Rectangle2D.Double(left, y + place[1] - LINE + 3, width, LINE);
      boolean inside =
          box.getMinX() > 0
              && box.getMaxX() < WIDTH
              && box.getMinY() > top - 10
              && box.getMaxY() < top + chart.height() + 4;
      if (inside && taken.stream().noneMatch(box::intersects)) {
        chosen = place;
        taken.add(box);
        break;
      }
    }
    String style = chosen[0] < 0 ? "point left" : "point";
    text(style, percent(percent), " dx=\"%.0f\"".formatted(chosen[0]), y + chosen[1], text);
  }

  /** Words in the margin at the right, moved apart so that they do not touch. */
  private void ends() {
    List<Series> down =
        chart.series().stream()
            .filter(series -> !series.end().isEmpty())
            .sorted(Comparator.comparingDouble(series -> y(series.y().getLast())))
            .toList();
    double from = top;
    double room = top + chart.height() - (down.size() - 1.0) * LINE;
    if (down.isEmpty()) {
      return;
    }
    out.append("<g class=\"ends\">\n");
    for (Series series : down) {
      double end = y(series.y().getLast());
      double y = Math.max(from, Math.min(end, room));
      from = y + LINE;
      room += LINE;
      append(
          "<line class=\"lead\" x1=\"%.2f%%\" y1=\"%.1f\" x2=\"100%%\" y2=\"%.1f\"/>",
          x(series.x().getLast()), end, y);
      append(
          "<text x=\"100%%\" dx=\"10\" y=\"%.1f\"><tspan class=\"name\">%s</tspan> %s</text>",
          y + 4, HtmlText.escape(shortened(series.label())), HtmlText.escape(series.end()));
    }
    out.append("</g>\n");
  }

  private static String shortened(String name) {
    return name.length() <= LETTERS_IN_MARGIN
        ? name
        : name.substring(0, LETTERS_IN_MARGIN - 1) + "\u2026";
  }

  /** In per cent of the width. */
  private double x(double value) {
    return 100 * chart.x().share(value);
  }

  /** In pixels; NaN for no value. */
  private double y(double value) {
    return Double.isNaN(value) ? value : top + chart.height() * (1 - chart.left().share(value));
  }

  private void take(double fromX, double fromY, String text) {
    taken.add(new Rectangle2D.Double(fromX, fromY, LETTER * text.length(), LINE));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", share);
  }

  private void text(String style, String x, String more, double y, String text) {
    if (!text.isEmpty()) {
      append(
          "<text class=\"%s\" x=\"%s\"%s y=\"%.1f\">%s</text>",
          style, x, more, y, HtmlText.escape(text));
    }
  }

  private void append(String form, Object... values) {
    Svg.shape(out, form, values);
  }
}
