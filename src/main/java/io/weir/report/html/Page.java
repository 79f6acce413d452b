package io.weir.report.html;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.report.chart.Axis;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Series;
import io.weir.report.svg.HtmlText;
import io.weir.report.svg.ReportResource;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of sections: one file that needs no network and no other file. A page with charts to point
 * at has the script that draws them, as data and code inside it.
 *
 * <p>Its content security policy names the scripts and styles of this class by their hashes and
 * lets nothing else run or load. Texts of others stay text, whatever they contain.
 *
 * <p><b>Threads:</b> for one page and thread.
 */
public final class Page {

  /** What can be done with charts, for a section of them; after a sentence about them. */
  public static final String HINT =
      """
      <p class="hint">%s <span class="script">Point at a chart, or focus it and use the arrow keys, \
      to read the values at one moment. Drag to zoom; double-click or press Escape to zoom \
      out.</span></p>
      <noscript><p class="absent">A script inside this file draws these charts, and scripts are \
      switched off. Everything else needs no script.</p></noscript>
      <p class="unseen" id="moment" role="status"></p>
      """;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)\\}\\}");

  /** More than a screen can show of a value; too few for x, which may be seconds since 1970. */
  private static final MathContext DIGITS = new MathContext(5);

  private static final int DECIMALS_OF_X = 3;

  /** Larger whole numbers are shorter with an exponent. */
  private static final int MOST_DIGITS = 12;

  private final String title;
  private final String subtitle;
  private final StringBuilder sections = new StringBuilder();
  private final List<Chart> charts = new ArrayList<>();

  /** A page without sections; both texts are plain. */
  public Page(String title, String subtitle) {
    this.title = title;
    this.subtitle = subtitle;
  }

  /** Adds what stands by itself, such as an answer; may be empty. */
  public Page add(String html) {
    sections.append(html);
    return this;
  }

  /**
   * Adds a section with a heading; without content there is none.
   *
   * @param heading as HTML
   */
  public Page section(String id, String heading, String html) {
    return add(
        html.isEmpty()
            ? ""
            : "<section%s aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n%s</section>\n"
                .formatted(id.equals("facts") ? " class=\"facts\"" : "", id, id, heading, html));
  }

  /**
   * The figure of a chart that the script of the page draws, or of one without values.
   *
   * @param attributes of the figure
   * @param tag of its heading
   * @param name for readers who cannot see it, before the summary
   */
  public String figure(String attributes, String tag, String name, Chart chart) {
    String heading = HtmlText.escape(chart.title());
    if (!chart.isMeasured()) {
      return ChartFigure.of(
          attributes,
          "<%s>%s</%s>".formatted(tag, heading, tag),
          "",
          "",
          "<p class=\"absent\">%s</p>\n".formatted(HtmlText.escape(chart.summary())));
    }
    charts.add(chart);
    return ChartFigure.of(
        "%s data-chart=\"%d\"".formatted(attributes, charts.size() - 1).strip(),
        "<%s>%s%s</%s>".formatted(tag, heading, ChartFigure.units(chart), tag),
        chart.summary(),
        ChartFigure.key(chart, true),
        "<div class=\"plot\" role=\"img\" aria-label=\"%s: %s\"></div>\n"
            .formatted(HtmlText.escape(name), HtmlText.escape(chart.summary())));
  }

  /** The whole file. */
  public String render() throws IOException {
    boolean scripted = !charts.isEmpty();
    String style =
        (scripted ? ReportResource.read("uplot/uPlot.min.css") : "")
            + ReportResource.read("report.css")
            + ReportResource.read("chart.css");
    Map<String, String> texts = new HashMap<>();
    texts.put("style-hash", policyHash(style));
    texts.put("style", style);
    texts.put(
        "name",
        HtmlText.escape(title.substring(0, 1).toLowerCase(Locale.ROOT) + title.substring(1)));
    texts.put("title", HtmlText.escape(title));
    texts.put("subtitle", HtmlText.escape(subtitle));
    texts.put("sections", sections.toString());
    texts.put("script-policy", "");
    texts.put("theme", "");
    texts.put("scripts", "");
    if (scripted) {
      String plot = ReportResource.read("uplot/uPlot.iife.min.js");
      String script = ReportResource.read("charts.js");
      texts.put(
          "script-policy", " script-src %s %s;".formatted(policyHash(plot), policyHash(script)));
      texts.put("theme", "<button type=\"button\" id=\"theme\" hidden>Dark theme</button>\n");
      texts.put(
          "scripts",
          fill(
              ReportResource.read("scripts.html"),
              Map.of(
                  "plot-licence",
                  HtmlText.escape(ReportResource.read("uplot/LICENSE")),
                  "data",
                  HtmlText.escapeJson(data()),
                  "plot-script",
                  plot,
                  "script",
                  script)));
    }
    return fill(ReportResource.read("page.html"), texts);
  }

  /**
   * The template with its places filled, which are written <code>{{name}}</code>. All are filled in
   * one pass, so a text that looks like a place stays as it is.
   */
  static String fill(String template, Map<String, String> texts) {
    Matcher places = PLACE.matcher(template);
    return places.replaceAll(
        place -> {
          if (!texts.containsKey(place.group(1))) {
            throw new IllegalStateException("no text for the place " + place.group());
          }
          return Matcher.quoteReplacement(texts.get(place.group(1)));
        });
  }

  /** The name of this inline script or style in a content security policy. */
  private static String policyHash(String content) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** What the script draws, as JSON. */
  private String data() {
    ObjectNode root = JSON.objectNode();
    ArrayNode list = root.putArray("charts");
    charts.forEach(chart -> list.add(data(chart)));
    return root.toString();
  }

  private static ObjectNode data(Chart chart) {
    ObjectNode node = JSON.objectNode();
    node.put("height", chart.height());
    node.set("x", data(chart.x()));
    node.set("left", data(chart.left()));
    chart.right().ifPresent(axis -> node.set("right", data(axis)));
    ArrayNode xs = node.putArray("xs");
    Map<List<Double>, Integer> seen = new IdentityHashMap<>(); // most series share their x
    ArrayNode series = node.putArray("series");
    for (Series one : chart.series()) {
      if (one.isMeasured()) {
        if (!seen.containsKey(one.x())) {
          seen.put(one.x(), seen.size());
          xs.add(numbers(one.x(), Page::exact));
        }
        series.add(data(one, chart.unit(one)).put("xs", seen.get(one.x())));
      }
    }
    ArrayNode bands = node.putArray("bands");
    for (Chart.Band band : chart.bands()) {
      ObjectNode span =
          bands
              .addObject()
              .put("from", band.from())
              .put("to", band.to())
              .put("label", band.label());
      band.colour().ifPresent(colour -> span.put("colour", colour));
    }
    ArrayNode marks = node.putArray("marks");
    for (Chart.Mark mark : chart.marks()) {
      marks
          .addObject()
          .put("at", mark.at())
          .put("label", mark.label())
          .put("colour", mark.colour())
          .put("strong", mark.isStrong());
    }
    return node;
  }

  private static ObjectNode data(Axis axis) {
    ObjectNode node = JSON.objectNode();
    node.put("unit", axis.unit());
    node.put("low", axis.low());
    node.put("high", axis.high());
    node.put("log", axis.scale() == Axis.Scale.LOG);
    node.put("days", axis.scale() == Axis.Scale.DAYS);
    if (axis.scale() == Axis.Scale.LOG) {
      ArrayNode ticks = node.putArray("ticks");
      axis.ticks().forEach(tick -> ticks.add(tick.value()));
    }
    return node;
  }

  private static ObjectNode data(Series series, String unit) {
    ObjectNode node = JSON.objectNode();
    node.put("id", series.id());
    node.put("label", series.label());
    node.put("unit", unit);
    node.put("colour", series.colour());
    node.put("form", series.form().name().toLowerCase(Locale.ROOT));
    node.put("right", series.isRight());
    series
        .shape()
        .ifPresent(shape -> node.put("shape", shape.path()).put("hollow", shape.isHollow()));
    node.set("y", numbers(series.y(), y -> new BigDecimal(y).round(DIGITS)));
    if (!series.notes().isEmpty()) {
      ArrayNode notes = node.putArray("notes");
      series.notes().forEach(note -> notes.addArray().add(note.brief()).add(note.words()));
    }
    return node;
  }

  private static BigDecimal exact(double x) {
    return new BigDecimal(x).setScale(DECIMALS_OF_X, RoundingMode.HALF_EVEN);
  }

  private static ArrayNode numbers(List<Double> values, DoubleFunction<BigDecimal> rounded) {
    ArrayNode array = JSON.arrayNode(values.size());
    for (Double value : values) {
      if (value.isNaN() || value.isInfinite()) {
        array.addNull();
      } else {
        BigDecimal digits = rounded.apply(value).stripTrailingZeros();
        array.add(
            digits.scale() <= 0 && digits.precision() - digits.scale() < MOST_DIGITS
                ? JSON.numberNode(digits.longValueExact())
                : JSON.numberNode(digits.doubleValue()));
      }
    }
    return array;
  }
}
