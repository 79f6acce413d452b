package io.weir.report.load;

import io.weir.report.html.EnvironmentFacts;
import io.weir.report.html.HtmlTable;
import io.weir.report.html.NotesSection;
import io.weir.report.html.PageTemplate;
import io.weir.report.model.LatencyCurve;
import io.weir.report.svg.ArmMarks;
import io.weir.report.svg.HtmlText;
import io.weir.report.svg.PercentileChart;
import io.weir.report.svg.ReportResource;
import io.weir.report.svg.Svg;
import io.weir.report.words.Figures;
import io.weir.report.words.Notes;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Makes {@code report.html} and {@code report.svg} of a run of {@code weir load}: one file that
 * needs no network, no script and no other file.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user.
 */
public final class LoadPage {

  private static final int LEGEND_LEFT = 76;
  private static final int LEGEND_TOP = 34;
  private static final int LEGEND_LINE = 18;
  private static final List<String> USES = List.of("machine", "server", "client", "collector");

  /** Reads the run and writes both. */
  public void write(RunFiles files) throws IOException {
    Run run = files.read();
    LoadCharts charts = new LoadCharts(run, files);
    LineChart p99 = charts.latency("p99", latency -> Optional.of(latency.p99Millis()));
    if (!p99.isEmpty()) {
      String style =
          "<style>%s%s</style><rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n"
              .formatted(ReportResource.read("picture.css"), ReportResource.read("load.css"));
      RunJson.replace(files.reportSvg(), p99.svg(style + legend(run, charts.marks())));
    }
    RunJson.replace(files.reportHtml(), render(run, charts));
  }

  private static String render(Run run, LoadCharts charts) throws IOException {
    String style = ReportResource.read("report.css") + ReportResource.read("load.css");
    Map<String, String> texts = new HashMap<>();
    texts.put("style-hash", PageTemplate.policyHash(style));
    texts.put("style", style);
    texts.put(
        "subtitle",
        HtmlText.escape(
            "%s \u00b7 took %s \u00b7 Weir %s \u00b7 Lucene %s"
                .formatted(
                    run.startedAt(),
                    Figures.seconds(
                        (run.finishedAt().toEpochMilli() - run.startedAt().toEpochMilli()) / 1e3),
                    run.weir(),
                    run.lucene())));
    texts.put("alerts", alerts(run));
    texts.put("headlines", headlines(run));
    texts.put("key", charts.marks().key(run.names(), name -> ""));
    texts.put(
        "main", figure("p99", charts.latency("p99", latency -> Optional.of(latency.p99Millis()))));
    texts.put("figures", figures(charts));
    texts.put("percentiles", percentiles(run, charts));
    texts.put("use", use(run, charts));
    texts.put("memory", memory(run, charts));
    texts.put("tables", HtmlTable.of(LoadTables.of(run)));
    texts.put("notes", NotesSection.html(Notes.warnings(run), Notes.noise(run)));
    texts.put("facts", facts(run));
    return PageTemplate.fill(ReportResource.read("load.html"), texts);
  }

  /** The arms by their marks, for a picture that stands alone. */
  private static String legend(Run run, ArmMarks marks) {
    StringBuilder out = new StringBuilder();
    int y = LEGEND_TOP;
    for (String name : run.names()) {
      Svg.shape(
          out,
          "<g class=\"%s\"><path class=\"dot\" transform=\"translate(%d %d)\" d=\"%s\"/></g>"
              + "<text x=\"%d\" y=\"%d\">p99: %s</text>",
          marks.style(name),
          LEGEND_LEFT,
          y - LEGEND_LINE / 4,
          marks.shape(name),
          LEGEND_LEFT + LEGEND_LINE / 2,
          y,
          HtmlText.escape(name));
      y += LEGEND_LINE;
    }
    return out.toString();
  }

  private static String alerts(Run run) {
    StringBuilder out = new StringBuilder();
    if (run.interrupted()) {
      alert(out, "warning", "Interrupted", "The run was stopped, so its figures are partial.", "");
    }
    for (Part arm : run.parts()) {
      if (arm.status() == Status.FAILED) {
        arm.failure()
            .ifPresent(
                failure ->
                    alert(
                        out,
                        "failure",
                        "Failed",
                        who(arm) + failure.reason(),
                        String.join("\n", failure.lastLines())));
      }
    }
    return out.isEmpty() ? "" : "<section class=\"alerts\">\n" + out + "</section>\n";
  }

  private static void alert(
      StringBuilder out, String kind, String lead, String text, String lines) {
    out.append(
        "<div class=\"alert %s\"><p><strong>%s</strong>%s</p>%s</div>\n"
            .formatted(
                kind,
                lead,
                HtmlText.escape(text),
                lines.isEmpty() ? "" : "<pre>" + HtmlText.escape(lines) + "</pre>"));
  }

  private static String headlines(Run run) {
    StringBuilder out = new StringBuilder();
    for (String name : run.names()) {
      out.append(
          "<li><strong>%s</strong> %s.</li>\n"
              .formatted(
                  HtmlText.escape(name),
                  HtmlText.escape(Saturations.of(name, run.rounds(name)).sentence())));
    }
    return out.toString();
  }

  private static String figures(LoadCharts charts) {
    return figure("p50", charts.latency("p50", latency -> Optional.of(latency.p50Millis())))
        + figure("p99.9", charts.latency("p99.9", LatencySummary::p999Millis))
        + figure(
            "the largest",
            charts.latency("the largest", latency -> Optional.of(latency.maxMillis())));
  }

  private static String figure(String caption, LineChart chart) {
    return chart.isEmpty()
        ? ""
        : "<figure class=\"panel\"><figcaption><h3>%s <small>%s</small></h3></figcaption>\n%s</figure>\n"
            .formatted(
                HtmlText.escape(caption),
                chart.y().logarithmic() ? "ms, logarithmic" : HtmlText.escape(chart.y().label()),
                chart.svg(""));
  }

  private static String percentiles(Run run, LoadCharts charts) throws IOException {
    StringBuilder out = new StringBuilder();
    for (String name : run.names()) {
      List<LatencyCurve> curves = charts.curves(name);
      if (!curves.isEmpty()) {
        List<String> loads = curves.stream().map(LatencyCurve::arm).toList();
        ArmMarks marks = new ArmMarks(loads);
        out.append(
            "<figure class=\"panel\"><figcaption><h3>%s <small>ms, logarithmic</small></h3>%s</figcaption>\n%s</figure>\n"
                .formatted(
                    HtmlText.escape(name),
                    marks.key(loads, load -> ""),
                    new PercentileChart(curves, marks).svg("Response time of " + name)));
      }
    }
    return out.toString();
  }

  private static String use(Run run, LoadCharts charts) {
    StringBuilder out = new StringBuilder(legend("use-", USES));
    out.append("<div class=\"two\">\n");
    for (String name : run.names()) {
      out.append(figure(name, charts.use(name)));
    }
    return out.append("</div>\n").toString();
  }

  private static String memory(Run run, LoadCharts charts) throws IOException {
    StringBuilder out = new StringBuilder();
    for (String name : run.names()) {
      out.append(figure(name + ": heap and resident memory", charts.memory(name)));
      out.append(figure(name + ": pauses of the collector", charts.pauses(name)));
    }
    return out.isEmpty()
        ? ""
        : "<section aria-labelledby=\"memory\">\n<h2 id=\"memory\">Memory and the collector"
            + " <small>round 1</small></h2>\n"
            + legend("memory-", List.of("rss", "committed", "used"))
            + "<div class=\"two\">\n"
            + out
            + "</div>\n</section>\n";
  }

  private static String legend(String prefix, List<String> styles) {
    StringBuilder out = new StringBuilder("<p class=\"load-key\">");
    styles.forEach(
        style ->
            out.append(
                "<span class=\"%s%s\">%s</span> "
                    .formatted(
                        prefix,
                        style,
                        switch (style) {
                          case "rss" -> "resident memory";
                          case "committed" -> "heap committed";
                          case "used" -> "heap used";
                          case "collector" -> "the server's collector";
                          default -> "the " + style;
                        })));
    return out.append("</p>\n").toString();
  }

  private static String who(Part arm) {
    return "%s, round %d: ".formatted(arm.name(), arm.round());
  }

  private static String facts(Run run) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("command", "weir " + EnvironmentFacts.commandLine(run.command()));
    run.workload().forEach(facts::put);
    run.parts().stream()
        .flatMap(arm -> arm.get(StepFigures.FLOOR).stream())
        .findFirst()
        .ifPresent(
            floor ->
                facts.put(
                    "client's own floor",
                    String.format(
                        Locale.ROOT,
                        "p50 %.2f ms, p99 %.2f ms, max %.2f ms",
                        floor.p50Millis(),
                        floor.p99Millis(),
                        floor.maxMillis())));
    for (String name : run.names()) {
      Map<String, String> settings = run.rounds(name).getFirst().settings();
      if (!settings.isEmpty()) {
        facts.put("arm " + name, settings.toString());
      }
    }
    facts.putAll(EnvironmentFacts.of(run.environment()));
    StringBuilder out = new StringBuilder("<dl>");
    facts.forEach(
        (name, value) ->
            out.append(
                "<dt>%s</dt><dd>%s</dd>\n"
                    .formatted(HtmlText.escape(name), HtmlText.escape(value))));
    return out.append("</dl>\n").toString();
  }
}
