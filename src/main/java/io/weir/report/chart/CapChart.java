package io.weir.report.chart;

import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Mark;
import io.weir.report.chart.Chart.Note;
import io.weir.report.chart.Chart.Series;
import io.weir.report.chart.Chart.Whisker;
import io.weir.report.model.CapCurves;
import io.weir.report.model.CapCurves.Curve;
import io.weir.report.model.CapCurves.Point;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reopen p99 against the length of the merge. A point is the median of a cap's rounds, its whiskers
 * the least and the most; a line joins the caps of one kind of arm. The objectives are lines, too.
 */
public final class CapChart {

  public static final String TITLE = "Reopen p99 against merge seconds, by cap";

  private static final int HEIGHT = 360;

  private CapChart() {}

  /** The chart of all kinds of arms. */
  public static Chart of(CapCurves caps) {
    ArmMarks marks = new ArmMarks(caps.curves().stream().map(Curve::kind).toList());
    List<Series> series = caps.curves().stream().map(curve -> series(curve, marks)).toList();
    List<Mark> bounds = new ArrayList<>();
    for (double millis : caps.reopenBoundsMillis()) {
      bounds.add(new Mark(millis, Figures.brief(millis) + " ms", "bad", true, true));
    }
    for (double seconds : caps.mergeBoundsSeconds()) {
      bounds.add(new Mark(seconds, Figures.brief(seconds) + " s", "bad", false, true));
    }
    Stream<Double> seconds =
        series.stream()
            .flatMap(one -> one.whiskers().stream())
            .flatMap(whisker -> Stream.of(whisker.lowX(), whisker.highX()));
    Axis x =
        Axis.log("merge, seconds")
            .around(Stream.concat(seconds, caps.mergeBoundsSeconds().stream()).toList());
    Chart chart =
        new Chart(
            "caps",
            "",
            TITLE + ". " + words(caps),
            HEIGHT,
            x,
            Axis.log("reopen p99, ms"),
            Optional.empty(),
            series,
            List.of(),
            bounds);
    return Chart.onOneScale(List.of(chart), x).getFirst();
  }

  private static Series series(Curve curve, ArmMarks marks) {
    List<Point> drawn = drawn(curve).toList();
    return marks
        .series(
            curve.kind(),
            Form.BOTH,
            drawn.stream().map(point -> point.mergeSeconds().median()).toList(),
            drawn.stream().map(point -> point.reopenP99Millis().median()).toList())
        .within(
            drawn.stream()
                .map(
                    point ->
                        new Whisker(
                            point.mergeSeconds().least(),
                            point.mergeSeconds().most(),
                            point.reopenP99Millis().least(),
                            point.reopenP99Millis().most()))
                .toList())
        .noted(drawn.stream().map(point -> new Note(point.cap(), words(point))).toList());
  }

  private static Stream<Point> drawn(Curve curve) {
    return curve.points().stream().filter(Point::isDrawable);
  }

  private static String words(CapCurves caps) {
    return caps.curves().stream()
        .flatMap(CapChart::drawn)
        .map(CapChart::words)
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
