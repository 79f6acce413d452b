package io.weir.report.svg;

import io.weir.report.chart.Panel;
import io.weir.report.model.CapCurves;
import io.weir.report.model.CapCurves.Curve;
import io.weir.report.model.CapCurves.Point;
import io.weir.report.model.CapCurves.Range;
import io.weir.report.words.Figures;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunJson;
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
    Optional<CapCurves> curves = CapCurves.of(files.readRun());
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
    StringBuilder out = new StringBuilder();
    Svg.shape(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"caps\" viewBox=\"0 0 %d %d\""
            + " role=\"img\">\n"
            + "<title>%s</title>\n"
            + "%s<rect class=\"paper\" width=\"%d\" height=\"%d\"/>",
        WIDTH,
        HEIGHT,
        HtmlText.escape(TITLE + ". " + words(caps)),
        style,
        WIDTH,
        HEIGHT);
    List<Point> points =
        caps.curves().stream()
            .flatMap(curve -> curve.points().stream())
            .filter(Point::isDrawable)
            .toList();
    LogScale x =
        LogScale.around(
            values(points, Point::mergeSeconds, caps.mergeBoundsSeconds()), LEFT, WIDTH - RIGHT);
    LogScale y =
        LogScale.around(
            values(points, Point::reopenP99Millis, caps.reopenBoundsMillis()),
            HEIGHT - BOTTOM,
            TOP);
    grid(out, x, y);
    List<Rectangle2D> taken = new ArrayList<>();
    for (double bound : caps.reopenBoundsMillis()) {
      Svg.shape(out, "<path class=\"bound\" d=\"M%d %.1fH%d\"/>", LEFT, y.at(bound), WIDTH - RIGHT);
      String label = Figures.brief(bound) + " ms";
      double toX = WIDTH - RIGHT - 4;
      double width = LETTER * label.length();
      text(out, "bound-text", toX, y.at(bound) - 5, "end", label);
      taken.add(
          new Rectangle2D.Double(toX - width, y.at(bound) - 2 - LABEL_HEIGHT, width, LABEL_HEIGHT));
    }
    for (double bound : caps.mergeBoundsSeconds()) {
      Svg.shape(
          out, "<path class=\"bound\" d=\"M%.1f %dV%d\"/>", x.at(bound), TOP, HEIGHT - BOTTOM);
      String label = Figures.brief(bound) + " s";
      text(out, "bound-text", x.at(bound) + 5, TOP + 12, "start", label);
      taken.add(
          new Rectangle2D.Double(
              x.at(bound) + 5, TOP + 15 - LABEL_HEIGHT, LETTER * label.length(), LABEL_HEIGHT));
    }
    double legend = LEFT;
    for (int kind = 0; kind < caps.curves().size(); kind++) {
      Curve curve = caps.curves().get(kind);
      String mark = MARKS.get(kind % MARKS.size());
      Svg.shape(out, "<g class=\"kind k%d\">", kind % MARKS.size());
      curve(out, curve, mark, x, y, taken);
      Svg.shape(
          out,
          "<path class=\"mark\" transform=\"translate(%.1f 20)\" d=\"%s\"/>",
          legend + 6,
          mark);
      text(out, "name", legend + 17, 25, "start", curve.kind());
      out.append("</g>\n");
      legend += 40 + LETTER * 1.1 * curve.kind().length();
    }
    for (int kind = 0; kind < caps.curves().size(); kind++) { // over all lines
      Svg.shape(out, "<g class=\"kind k%d\">", kind % MARKS.size());
      labels(out, caps.curves().get(kind), x, y, taken);
      out.append("</g>\n");
    }
    if (points.isEmpty()) {
      text(out, "muted", WIDTH / 2.0, HEIGHT / 2.0, "middle", Panel.NOT_MEASURED);
    }
    return out.append("</svg>\n").toString();
  }

  private static void grid(StringBuilder out, LogScale x, LogScale y) {
    for (double tick : x.ticks()) {
      Svg.shape(out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x.at(tick), TOP, HEIGHT - BOTTOM);
      text(out, "muted", x.at(tick), HEIGHT - BOTTOM + 18, "middle", tick(tick));
    }
    for (double tick : y.ticks()) {
      Svg.shape(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y.at(tick), WIDTH - RIGHT);
      text(out, "muted", LEFT - 8, y.at(tick) + 4, "end", tick(tick));
    }
    text(out, "muted", WIDTH - RIGHT, HEIGHT - 10, "end", "merge, seconds");
    text(out, "muted", 8, TOP - 10, "start", "reopen p99, ms");
  }

  private static void curve(
      StringBuilder out,
      Curve curve,
      String mark,
      LogScale x,
      LogScale y,
      List<Rectangle2D> taken) {
    List<Point> points = curve.points().stream().filter(Point::isDrawable).toList();
    String line =
        points.stream()
            .map(
                point ->
                    String.format(
                        Locale.ROOT,
                        "%.1f %.1f",
                        x.at(point.mergeSeconds().median()),
                        y.at(point.reopenP99Millis().median())))
            .collect(Collectors.joining("L"));
    if (points.size() > 1) {
      Svg.shape(out, "<path class=\"line\" d=\"M%s\"/>", line);
    }
    for (Point point : points) {
      Range seconds = point.mergeSeconds();
      Range millis = point.reopenP99Millis();
      double atX = x.at(seconds.median());
      double atY = y.at(millis.median());
      Svg.shape(
          out,
          "<path class=\"whisker\" d=\"M%.1f %.1fH%.1fM%.1f %.1fV%.1f\"/>",
          x.at(seconds.least()),
          atY,
          x.at(seconds.most()),
          atX,
          y.at(millis.least()),
          y.at(millis.most()));
      Svg.shape(
          out,
          "<path class=\"mark\" transform=\"translate(%.1f %.1f)\""
              + " d=\"%s\"><title>%s</title></path>",
          atX,
          atY,
          mark,
          HtmlText.escape(words(point)));
      taken.add(new Rectangle2D.Double(atX - 6, atY - 6, 12, 12));
    }
  }

  /** Puts each label where it hides no point and no other label, if there is such a place. */
  private static void labels(
      StringBuilder out, Curve curve, LogScale x, LogScale y, List<Rectangle2D> taken) {
    for (Point point : curve.points()) {
      if (!point.isDrawable()) {
        continue;
      }
      double width = LETTER * point.cap().length();
      double[] chosen = PLACES[0];
      Rectangle2D box = null;
      for (double[] place : PLACES) {
        double atX = x.at(point.mergeSeconds().median()) + place[0];
        double atY = y.at(point.reopenP99Millis().median()) + place[1];
        Rectangle2D candidate =
            new Rectangle2D.Double(
                place[0] < 0 ? atX - width : atX, atY - LABEL_HEIGHT + 3, width, LABEL_HEIGHT);
        boolean inside =
            candidate.getMinX() > LEFT
                && candidate.getMaxX() < WIDTH - 2
                && candidate.getMinY() > TOP - 10
                && candidate.getMaxY() < HEIGHT - BOTTOM + 4;
        if (inside && taken.stream().noneMatch(candidate::intersects)) {
          chosen = place;
          box = candidate;
          break;
        }
      }
      if (box != null) {
        taken.add(box);
      }
      text(
          out,
          "cap",
          x.at(point.mergeSeconds().median()) + chosen[0],
          y.at(point.reopenP99Millis().median()) + chosen[1],
          chosen[0] < 0 ? "end" : "start",
          point.cap());
    }
  }

  private static void text(
      StringBuilder out, String style, double x, double y, String anchor, String text) {
    Svg.shape(
        out,
        "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        style,
        x,
        y,
        anchor,
        HtmlText.escape(text));
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
