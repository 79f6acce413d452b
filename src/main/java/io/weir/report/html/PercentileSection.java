package io.weir.report.html;

import io.weir.report.model.LatencyCurve;
import io.weir.report.model.LatencyCurves;
import io.weir.report.svg.ArmMarks;
import io.weir.report.svg.PercentileChart;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.words.Figures;
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
    out.append(HtmlTable.of(table(what, plural, curves)));
    out.append("</figure>\n");
  }

  static Table table(String what, String plural, List<LatencyCurve> curves) {
    Sheet<LatencyCurve> sheet =
        Sheet.<LatencyCurve>of(what + " during the merge, all rounds together")
            .word("arm", LatencyCurve::arm)
            .text(plural, "", curve -> Long.toString(curve.count()));
    for (double percentile : PERCENTILES) {
      sheet =
          sheet
              .one(
                  "p" + PercentileChart.plain(percentile),
                  "ms",
                  curve -> Optional.of(percentile).filter(curve::has).map(curve::millisAt))
              .ifAny();
    }
    return sheet.text("max", "ms", curve -> Figures.oneDecimal(curve.maxMillis())).table(curves);
  }
}
