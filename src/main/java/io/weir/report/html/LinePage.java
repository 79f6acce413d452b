package io.weir.report.html;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.report.chart.LineChart;
import io.weir.report.svg.HtmlText;
import io.weir.report.svg.ReportResource;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/**
 * A page of line charts with HTML before and after them: one file that needs no network and no
 * other file. Its content security policy lets nothing else run or load.
 *
 * @param title as plain text
 * @param subtitle as plain text
 * @param before HTML above the charts
 * @param chartsTitle as plain text
 * @param chartsHint as plain text
 * @param charts in their order
 * @param after HTML below the charts
 */
public record LinePage(
    String title,
    String subtitle,
    String before,
    String chartsTitle,
    String chartsHint,
    List<LineChart> charts,
    String after) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int HEIGHT_PIXELS = 220;

  /** More than a screen can show of a value; for x, which may be seconds since 1970, too few. */
  private static final MathContext SIX_DIGITS = new MathContext(6);

  /** The page. */
  public String render() throws IOException {
    String style =
        ReportResource.read("uplot/uPlot.min.css")
            + ReportResource.read("report.css")
            + ReportResource.read("lines.css");
    String plot = ReportResource.read("uplot/uPlot.iife.min.js");
    String script = ReportResource.read("lines.js");
    Map<String, String> texts = new HashMap<>();
    texts.put("style-hash", PageTemplate.policyHash(style));
    texts.put(
        "script-hashes", PageTemplate.policyHash(plot) + " " + PageTemplate.policyHash(script));
    texts.put("style", style);
    texts.put("plot-script", plot);
    texts.put("script", script);
    texts.put("data", HtmlText.escapeJson(data()));
    texts.put("title", HtmlText.escape(title));
    texts.put("subtitle", HtmlText.escape(subtitle));
    texts.put("before", before);
    texts.put("charts-title", HtmlText.escape(chartsTitle));
    texts.put("charts-hint", HtmlText.escape(chartsHint));
    texts.put("charts", figures());
    texts.put("after", after);
    texts.put("plot-licence", HtmlText.escape(ReportResource.read("uplot/LICENSE")));
    return PageTemplate.fill(ReportResource.read("lines.html"), texts);
  }

  /** A note above the tables and charts. */
  public static String alert(String word, String text, boolean failure) {
    return "<div class=\"alert %s\"><p><strong>%s</strong> %s</p></div>\n"
        .formatted(failure ? "failure" : "warning", HtmlText.escape(word), HtmlText.escape(text));
  }

  private String figures() {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < charts.size(); i++) {
      LineChart chart = charts.get(i);
      out.append(
          """
          <figure class="panel lines" data-chart="%d">
          <figcaption><h3>%s</h3><p class="summary">%s</p></figcaption>
          <div class="plot" role="img" aria-label="%s: %s"></div>
          </figure>
          """
              .formatted(
                  i,
                  HtmlText.escape(chart.title()),
                  HtmlText.escape(chart.summary()),
                  HtmlText.escape(chart.title()),
                  HtmlText.escape(chart.summary())));
    }
    return out.toString();
  }

  private String data() {
    ObjectNode root = JSON.objectNode();
    ArrayNode list = root.putArray("charts");
    for (LineChart chart : charts) {
      ObjectNode node = list.addObject();
      node.put("unit", chart.unit());
      node.put("rightUnit", chart.rightUnit());
      node.put("time", chart.time());
      node.put("height", HEIGHT_PIXELS);
      node.set("x", numbers(chart.x(), x -> Math.round(x * 1e4) / 1e4));
      ArrayNode series = node.putArray("series");
      for (LineChart.Series one : chart.series()) {
        ObjectNode line = series.addObject();
        line.put("label", one.label());
        line.put("colour", one.colour());
        line.put("form", one.form().name().toLowerCase(Locale.ROOT));
        line.put("right", one.right());
        line.set(
            "values",
            numbers(one.values(), y -> new BigDecimal(y).round(SIX_DIGITS).doubleValue()));
      }
      ArrayNode bands = node.putArray("bands");
      for (LineChart.Band band : chart.bands()) {
        bands.addObject().put("from", band.from()).put("to", band.to());
      }
      ArrayNode marks = node.putArray("marks");
      for (LineChart.Mark mark : chart.marks()) {
        marks
            .addObject()
            .put("x", mark.x())
            .put("label", mark.label())
            .put("colour", mark.colour())
            .put("strong", mark.strong());
      }
    }
    return root.toString();
  }

  private static ArrayNode numbers(List<Double> values, DoubleUnaryOperator rounded) {
    ArrayNode array = JSON.arrayNode(values.size());
    for (Double value : values) {
      if (value.isNaN() || value.isInfinite()) {
        array.addNull();
      } else {
        array.add(rounded.applyAsDouble(value));
      }
    }
    return array;
  }
}
