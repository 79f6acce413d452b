package io.weir.report.html;

import io.weir.report.chart.ArmMarks;
import io.weir.report.chart.Chart;
import io.weir.report.chart.PercentileChart;
import io.weir.report.model.LatencyCurve;
import io.weir.report.model.LatencyCurves;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.words.Figures;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How slow, how often: percentile curves with their tables, of arms or of runs. */
final class PercentileFigures {

  private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};
  private static final String REOPENS = "Reopen latency";
  private static final String SEARCHES = "Search latency";

  private PercentileFigures() {}

  /** The table below percentile curves. */
  static Table table(String of, String what, String plural, List<LatencyCurve> curves) {
    Sheet<LatencyCurve> sheet =
        Sheet.<LatencyCurve>of(what + " during the merge, all rounds together")
            .word(of, LatencyCurve::arm)
            .text(plural, "", curve -> Long.toString(curve.count()));
    for (double percentile : PERCENTILES) {
      sheet =
          sheet
              .one(
                  "p" + Figures.plain(percentile),
                  "ms",
                  curve -> Optional.of(percentile).filter(curve::isNamed).map(curve::millisAt))
              .ifAny();
    }
    return sheet.text("max", "ms", curve -> Figures.oneDecimal(curve.maxMillis())).table(curves);
  }

  /**
   * The curves of reopens and of searches, on one scale, each with its table below it.
   *
   * @param what what has a curve, {@code arm} or {@code run}
   */
  static String of(String what, LatencyCurves curves, ArmMarks marks) {
    List<List<LatencyCurve>> measured =
        Stream.of(curves.reopens(), curves.searches()).filter(list -> !list.isEmpty()).toList();
    List<Chart> charts =
        PercentileChart.onOneScale(
            measured.stream()
                .map(
                    list -> {
                      String title = list == curves.reopens() ? REOPENS : SEARCHES;
                      return PercentileChart.of(title, title + " during the merge", list, marks);
                    })
                .toList());
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < charts.size(); i++) {
      String plural = charts.get(i).title().equals(REOPENS) ? "reopens" : "searches";
      out.append(
          ChartFigure.picture(
              "data-curves=\"%s\"".formatted(plural),
              charts.get(i),
              HtmlTable.of(table(what, charts.get(i).title(), plural, measured.get(i)))));
    }
    return out.toString();
  }
}
