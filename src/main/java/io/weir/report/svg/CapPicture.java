package io.weir.report.svg;

import io.weir.report.chart.Panel;
import io.weir.report.model.CapCurves;
import io.weir.report.model.CapCurves.Curve;
import io.weir.report.model.CapCurves.Point;
import io.weir.report.model.CapCurves.Range;
import io.weir.report.words.Figures;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Reopen p99 against the length of the merge. A point is the median of a cap's rounds, its whiskers
 * the least and the most; a line joins the caps of one kind of arm. The objectives are lines, too.
 * It needs no script. In the page it has the page's colours, as {@code sweep.svg} its own.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user.
 */
public final class CapPicture {

  private static final int WIDTH = 760;
  private static final int HEIGHT = 460;
  private static final int LEFT = 62;
  private static final int RIGHT = 20;
  private static final int TOP = 54;
  private static final int BOTTOM = 48;
  private static final double LETTER = 7; // about as wide as one is high
  private static final int LABEL_HEIGHT = 14;
  private static final String TITLE = "Reopen p99 against merge seconds, by cap";

  /** Shapes around the origin, which distinguish kinds without colours. */
  private static final List<String> MARKS =
      List.of(
          "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
          "M-4.5-4.5h9v9h-9z",
          "M0-6.5L6.5 0 0 6.5-6.5 0z",
          "M0-6L6 5H-6z",
          "M0 6L6-5H-6z");

  /** Offsets of a label from its point, best first. */
  private static final double[][] PLACES = {
    {9, -7}, {9, 17}, {-9, -7}, {-9, 17}, {12, 4}, {-12, 4}, {9, -22}, {9, 32}, {-9, -22}, {-9, 32}
  };

  /** Reads the run and writes {@link RunFiles#sweepSvg} if it has several caps. */
  public void write(RunFiles files) throws IOException {
    Optional<CapCurves> curves = CapCurves.of(files.read());
    if (curves.isPresent()) {
      String style = ReportResource.read("picture.css") + ReportResource.read("caps.css");
      RunJson.replace(files.sweepSvg(), render(curves.get(), "<style>" + style + "</style>\n"));
    }
  }

  /** The picture for a page whose style has the colours. */
  public static String inline(CapCurves curves) {
    return render(curves, "");
  }

  private static String render(CapCurves caps, String style) {
    return new Drawing(caps).draw(style);
  }

  /** One picture while it is drawn. */
  private static final class Drawing {

    private final CapCurves caps;
    private final List<Point> points;
    private final LogScale x;
    private final LogScale y;
    private final StringBuilder out = new StringBuilder();

    /** Where no label may stand. */
    private final List<Rectangle2D> taken = new ArrayList<>();

    Drawing(CapCurves caps) {
      this.caps = caps;
      this.points =
          caps.curves().stream()
              .flatMap(curve -> curve.points().stream())
              .filter(Point::isDrawable)
              .toList();
      this.x =
          LogScale.around(
              values(points, Point::mergeSeconds, caps.mergeBoundsSeconds()), LEFT, WIDTH - RIGHT);
      this.y =
          LogScale.around(
              values(points, Point::reopenP99Millis, caps.reopenBoundsMillis()),
              HEIGHT - BOTTOM,
              TOP);
    }

    String draw(String style) {
      shape(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"caps\" viewBox=\"0 0 %d %d\""
              + " role=\"img\">\n"
              + "<title>%s</title>\n"
              + "%s<rect class=\"paper\" width=\"%d\" height=\"%d\"/>",
          WIDTH, HEIGHT, HtmlText.escape(TITLE + ". " + words(caps)), style, WIDTH, HEIGHT);
      grid();
      bounds();
      curves();
      for (int kind = 0; kind < caps.curves().size(); kind++) { // over all lines
        shape("<g class=\"kind k%d\">", kind % MARKS.size());
        caps.curves().get(kind).points().stream().filter(Point::isDrawable).forEach(this::label);
        shape("</g>");
      }
      if (points.isEmpty()) {
        text("muted", WIDTH / 2.0, HEIGHT / 2.0, "middle", Panel.NOT_MEASURED);
      }
      return out.append("</svg>\n").toString();
    }

    private void grid() {
      for (double tick : x.ticks()) {
        shape("<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x.at(tick), TOP, HEIGHT - BOTTOM);
        text("muted", x.at(tick), HEIGHT - BOTTOM + 18, "middle", tick(tick));
      }
      for (double tick : y.ticks()) {
        shape("<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y.at(tick), WIDTH - RIGHT);
        text("muted", LEFT - 8, y.at(tick) + 4, "end", tick(tick));
      }
      text("muted", WIDTH - RIGHT, HEIGHT - 10, "end", "merge, seconds");
      text("muted", 8, TOP - 10, "start", "reopen p99, ms");
    }

    /** The objectives. */
    private void bounds() {
      for (double bound : caps.reopenBoundsMillis()) {
        shape("<path class=\"bound\" d=\"M%d %.1fH%d\"/>", LEFT, y.at(bound), WIDTH - RIGHT);
        String label = Figures.brief(bound) + " ms";
        double toX = WIDTH - RIGHT - 4;
        text("bound-text", toX, y.at(bound) - 5, "end", label);
        take(toX - LETTER * label.length(), y.at(bound) - 2 - LABEL_HEIGHT, label);
      }
      for (double bound : caps.mergeBoundsSeconds()) {
        shape("<path class=\"bound\" d=\"M%.1f %dV%d\"/>", x.at(bound), TOP, HEIGHT - BOTTOM);
        String label = Figures.brief(bound) + " s";
        text("bound-text", x.at(bound) + 5, TOP + 12, "start", label);
        take(x.at(bound) + 5, TOP + 15 - LABEL_HEIGHT, label);
      }
    }

    /** The curves and, above them, their names. */
    private void curves() {
      double nameX = LEFT;
      for (int kind = 0; kind < caps.curves().size(); kind++) {
        Curve curve = caps.curves().get(kind);
        String mark = MARKS.get(kind % MARKS.size());
        shape("<g class=\"kind k%d\">", kind % MARKS.size());
        curve(curve, mark);
        shape("<path class=\"mark\" transform=\"translate(%.1f 20)\" d=\"%s\"/>", nameX + 6, mark);
        text("name", nameX + 17, 25, "start", curve.kind());
        shape("</g>");
        nameX += 40 + LETTER * 1.1 * curve.kind().length();
      }
    }

    private void curve(Curve curve, String mark) {
      List<Point> drawn = curve.points().stream().filter(Point::isDrawable).toList();
      if (drawn.size() > 1) {
        shape(
            "<path class=\"line\" d=\"M%s\"/>",
            drawn.stream()
                .map(point -> String.format(Locale.ROOT, "%.1f %.1f", x(point), y(point)))
                .collect(Collectors.joining("L")));
      }
      for (Point point : drawn) {
        Range seconds = point.mergeSeconds();
        Range millis = point.reopenP99Millis();
        shape(
            "<path class=\"whisker\" d=\"M%.1f %.1fH%.1fM%.1f %.1fV%.1f\"/>",
            x.at(seconds.least()),
            y(point),
            x.at(seconds.most()),
            x(point),
            y.at(millis.least()),
            y.at(millis.most()));
        shape(
            "<path class=\"mark\" transform=\"translate(%.1f %.1f)\""
                + " d=\"%s\"><title>%s</title></path>",
            x(point), y(point), mark, HtmlText.escape(words(point)));
        taken.add(new Rectangle2D.Double(x(point) - 6, y(point) - 6, 12, 12));
      }
    }

    /** Writes the cap where it hides no point and no other label, if there is such a place. */
    private void label(Point point) {
      double width = LETTER * point.cap().length();
      double[] chosen = PLACES[0];
      for (double[] place : PLACES) {
        double atX = x(point) + place[0];
        Rectangle2D box =
            new Rectangle2D.Double(
                place[0] < 0 ? atX - width : atX,
                y(point) + place[1] - LABEL_HEIGHT + 3,
                width,
                LABEL_HEIGHT);
        if (isFree(box)) {
          chosen = place;
          taken.add(box);
          break;
        }
      }
      text(
          "cap",
          x(point) + chosen[0],
          y(point) + chosen[1],
          chosen[0] < 0 ? "end" : "start",
          point.cap());
    }

    private boolean isFree(Rectangle2D box) {
      return box.getMinX() > LEFT
          && box.getMaxX() < WIDTH - 2
          && box.getMinY() > TOP - 10
          && box.getMaxY() < HEIGHT - BOTTOM + 4
          && taken.stream().noneMatch(box::intersects);
    }

    private void take(double fromX, double fromY, String label) {
      taken.add(new Rectangle2D.Double(fromX, fromY, LETTER * label.length(), LABEL_HEIGHT));
    }

    private double x(Point point) {
      return x.at(point.mergeSeconds().median());
    }

    private double y(Point point) {
      return y.at(point.reopenP99Millis().median());
    }

    private void text(String style, double atX, double atY, String anchor, String text) {
      shape(
          "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
          style, atX, atY, anchor, HtmlText.escape(text));
    }

    private void shape(String form, Object... values) {
      Svg.shape(out, form, values);
    }
  }

  private static List<Double> values(
      List<Point> points, Function<Point, Range> of, List<Double> bounds) {
    return DoubleStream.concat(
            bounds.stream().mapToDouble(Double::doubleValue).filter(bound -> bound > 0),
            points.stream().map(of).flatMapToDouble(r -> DoubleStream.of(r.least(), r.most())))
        .boxed()
        .toList();
  }

  private static String tick(double value) {
    return value >= 1 ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
  }

  /** The points in words, for readers who cannot see them. */
  private static String words(CapCurves caps) {
    return caps.curves().stream()
        .flatMap(curve -> curve.points().stream())
        .filter(Point::isDrawable)
        .map(CapPicture::words)
        .collect(Collectors.joining("; "));
  }

  private static String words(Point point) {
    return "%s: p99 %s ms, merge %s s"
        .formatted(
            point.arm(),
            Figures.brief(point.reopenP99Millis().median()),
            Figures.brief(point.mergeSeconds().median()));
  }
}
