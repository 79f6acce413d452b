package io.weir.report.chart;

import io.weir.report.chart.Axis.Tick;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Series;
import io.weir.report.model.LatencyCurve;
import io.weir.report.model.LatencyCurve.Step;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Percentile curves. Upwards is the latency, logarithmic; to the right the percentile p, as the
 * logarithm of 1/(1-p), so that each nine has the same room. A curve of n values ends at 1-1/n with
 * a step to its largest.
 */
public final class PercentileChart {

  /** The percentiles at which a curve carries its arm's mark, besides its end. */
  private static final List<Double> MARKED = List.of(50.0, 90.0, 99.0, 99.9, 99.99, 99.999);

  private static final int HEIGHT = 260;
  private static final int LEAST_COUNT = 100;

  /** Faster values are at the beginning of the scale. */
  private static final double LOWEST_PERCENTILE = 5;

  private PercentileChart() {}

  /**
   * The chart of {@code curves}.
   *
   * @param curves at least one
   * @param what "Reopen latency during the merge"
   */
  public static Chart of(String title, String what, List<LatencyCurve> curves, ArmMarks marks) {
    long count = curves.stream().mapToLong(LatencyCurve::count).max().orElseThrow();
    double nines = Math.log10(Math.max(LEAST_COUNT, count));
    List<Tick> ticks =
        MARKED.stream()
            .filter(percentile -> nines(1 - percentile / 100) <= nines)
            .map(p -> new Tick(nines(1 - p / 100), Figures.plain(p)))
            .toList();
    Axis x = Axis.named("%", 0, nines, ticks);
    List<Series> series = new ArrayList<>();
    for (LatencyCurve curve : curves) {
      series.add(line(curve, marks));
      series.add(marked(curve, marks));
    }
    Chart chart =
        new Chart(
            "percentiles",
            title,
            what
                + " by percentile. "
                + curves.stream().map(PercentileChart::sentence).collect(Collectors.joining(" ")),
            HEIGHT,
            x,
            Axis.log("ms"),
            Optional.empty(),
            series,
            List.of(),
            List.of());
    return Chart.onOneScale(List.of(chart), x).getFirst();
  }

  /** Charts that stand beside each other, with the same ends on both of their scales. */
  public static List<Chart> onOneScale(List<Chart> charts) {
    return charts.stream()
        .map(Chart::x)
        .max(Comparator.comparingDouble(Axis::high))
        .map(widest -> Chart.onOneScale(charts, widest))
        .orElse(List.of());
  }

  /** A step for each value. */
  private static Series line(LatencyCurve curve, ArmMarks marks) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    double least = curve.millisAt(LOWEST_PERCENTILE);
    double end = nines(1.0 / curve.count());
    double before = least;
    for (Step step : curve.steps()) {
      double at = Math.min(end, nines(1 - step.fromCount() / (double) curve.count()));
      if (step.fromCount() > 0) {
        x.add(at);
        y.add(before);
      }
      before = Math.max(least, step.millis());
      x.add(at);
      y.add(before);
    }
    x.addAll(List.of(end, end));
    y.addAll(List.of(before, curve.maxMillis()));
    return marks
        .series(curve.arm(), Form.LINE, x, y)
        .ending(Figures.brief(curve.maxMillis()) + " ms");
  }

  private static Series marked(LatencyCurve curve, ArmMarks marks) {
    List<Double> percentiles = MARKED.stream().filter(curve::has).toList();
    List<Double> x =
        new ArrayList<>(percentiles.stream().map(percent -> nines(1 - percent / 100)).toList());
    List<Double> y = new ArrayList<>(percentiles.stream().map(curve::millisAt).toList());
    x.add(nines(1.0 / curve.count()));
    y.add(curve.maxMillis());
    return Series.of("", "", marks.colour(curve.arm()), Form.SHAPE, x, y)
        .shaped(marks.shape(curve.arm()));
  }

  private static String sentence(LatencyCurve curve) {
    StringBuilder text = new StringBuilder();
    text.append("%s: %d values, ".formatted(curve.arm(), curve.count()));
    for (double percentile : List.of(50.0, 90.0, 99.0, 99.9)) {
      if (curve.has(percentile)) {
        text.append(
            "p%s %s ms, "
                .formatted(Figures.plain(percentile), Figures.brief(curve.millisAt(percentile))));
      }
    }
    return text.append("largest %s ms.".formatted(Figures.brief(curve.maxMillis()))).toString();
  }

  /** How many nines the percentile with the share {@code above} over it has. */
  private static double nines(double above) {
    return -Math.log10(above);
  }
}
