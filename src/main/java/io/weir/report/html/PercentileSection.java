package io.weir.report.html;

import io.weir.report.model.LatencyCurve;
import io.weir.report.model.LatencyCurves;
import io.weir.report.svg.ArmMarks;
import io.weir.report.svg.PercentileChart;
import io.weir.report.table.Cells;
import io.weir.report.table.Table;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The part of the page that shows the whole distribution of latencies during the merge. */
final class PercentileSection {

  private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};

  private PercentileSection() {}

  /** Empty when no arm has latencies. */
  static String html(LatencyCurves curves, ArmMarks marks) {
    StringBuilder out = new StringBuilder();
    append(out, "Reopen latency", "reopens", curves.reopens(), marks);
    append(out, "Search latency", "searches", curves.searches(), marks);
    return out.isEmpty()
        ? ""
        : """
        <section aria-labelledby="percentiles">
        <h2 id="percentiles">How slow, how often</h2>
        <p class="hint">Latencies during the merge, all rounds of an arm together. The horizontal \
        axis shows the percentile, the vertical axis the latency; both are logarithmic. Lower is \
        better. A curve ends at its largest value.</p>
        <div class="two">
        """
            + out
            + "</div>\n</section>\n";
  }

  private static void append(
      StringBuilder out, String what, String plural, List<LatencyCurve> curves, ArmMarks marks) {
    if (curves.isEmpty()) {
      return;
    }
    List<String> arms = curves.stream().map(LatencyCurve::arm).toList();
    out.append("<figure class=\"panel\" data-curves=\"%s\">\n".formatted(plural));
    out.append(
        "<figcaption><h3>%s <small>ms, logarithmic</small></h3>%s</figcaption>\n"
            .formatted(what, marks.key(arms, arm -> "")));
    out.append(new PercentileChart(curves, marks).svg(what + " during the merge"));
    HtmlTable.append(out, "table", table(what, plural, curves));
    out.append("</figure>\n");
  }

  static Table table(String what, String plural, List<LatencyCurve> curves) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("arm", ""));
    columns.add(new Column(plural, ""));
    List<Double> percentiles = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      if (curves.stream().anyMatch(curve -> curve.has(percentile))) {
        percentiles.add(percentile);
        columns.add(new Column("p" + PercentileChart.plain(percentile), "ms"));
      }
    }
    columns.add(new Column("max", "ms"));
    List<Row> rows = new ArrayList<>();
    for (LatencyCurve curve : curves) {
      Cells cells = Cells.of(curve.arm(), Long.toString(curve.count()));
      for (double percentile : percentiles) {
        cells.add(
            curve.has(percentile)
                ? Optional.of(Figures.oneDecimal(curve.millisAt(percentile)))
                : Optional.empty());
      }
      cells.add(Figures.oneDecimal(curve.maxMillis()));
      rows.add(cells.row(false));
    }
    return new Table(what + " during the merge, all rounds together", columns, 1, rows);
  }
}
