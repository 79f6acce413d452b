package io.weir.indexing.report;

import io.weir.report.chart.LineChart;
import io.weir.report.html.EnvironmentFacts;
import io.weir.report.html.HtmlTable;
import io.weir.report.html.LinePage;
import io.weir.report.svg.HtmlText;
import io.weir.report.words.Figures;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Window;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes {@code report.html} of a run of {@code weir index}.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user.
 */
public final class IndexingReport {

  private static final DateTimeFormatter DAY_AND_TIME =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private IndexingReport() {}

  /** Reads the run and writes {@link RunFiles#reportHtml}. */
  public static void write(RunFiles files) throws IOException {
    Run run = files.read();
    RunJson.replace(files.reportHtml(), render(run, CellSeries.read(files)));
  }

  private static String render(Run run, Map<CellSeries.Key, CellSeries> series) throws IOException {
    return new LinePage(
            "How fast Lucene indexed",
            "%s \u00b7 took %s \u00b7 Weir %s \u00b7 Lucene %s"
                .formatted(
                    DAY_AND_TIME.format(run.startedAt()),
                    Figures.seconds(run.duration().toMillis() / 1e3),
                    run.weir(),
                    run.lucene()),
            before(run),
            "The rate over time",
            "Time is in seconds since the first document. The shaded span is the steady part.",
            charts(run, series),
            facts(run))
        .render();
  }

  private static String before(Run run) {
    StringBuilder out = new StringBuilder();
    StringBuilder alerts = new StringBuilder();
    if (run.interrupted()) {
      alerts.append(
          LinePage.alert(
              "Interrupted", "The run was stopped or has not ended: cells are missing.", false));
    }
    run.failed()
        .forEach(
            cell ->
                alerts.append(
                    LinePage.alert(
                        "Failed",
                        IndexingNotes.failure(cell, cell.failure().orElseThrow()),
                        true)));
    if (!alerts.isEmpty()) {
      out.append("<section class=\"alerts\" aria-label=\"Failures\">\n").append(alerts);
      out.append("</section>\n");
    }
    List<String> answer = IndexingAnswer.of(run);
    if (!answer.isEmpty()) {
      out.append("<div class=\"answer\">\n<p>%s</p>\n</div>\n".formatted(text(answer.getFirst())));
      out.append("<ul class=\"headlines\">\n");
      answer.stream().skip(1).forEach(s -> out.append("<li>%s</li>\n".formatted(text(s))));
      out.append("</ul>\n");
    }
    StringBuilder notes = new StringBuilder();
    IndexingNotes.noise(run).forEach(t -> notes.append(LinePage.alert("Noise", t, false)));
    IndexingNotes.warnings(run).forEach(t -> notes.append(LinePage.alert("Warning", t, false)));
    if (!notes.isEmpty()) {
      out.append("<section class=\"notes\" aria-label=\"Notes\">\n").append(notes);
      out.append("</section>\n");
    }
    out.append("<section aria-labelledby=\"figures\">\n<h2 id=\"figures\">The figures</h2>\n");
    out.append("<div class=\"tables\">\n");
    out.append(HtmlTable.of(IndexingTables.of(run)));
    return out.append("</div>\n</section>\n").toString();
  }

  private static List<LineChart> charts(Run run, Map<CellSeries.Key, CellSeries> series) {
    List<LineChart> charts = new ArrayList<>();
    run.measured()
        .filter(cell -> cell.round() == 1)
        .sorted(CellSummary.order(run))
        .forEach(
            cell ->
                Optional.ofNullable(series.get(new CellSeries.Key(cell.name(), cell.round())))
                    .ifPresent(one -> charts.add(chart(cell, one))));
    return charts;
  }

  /** The first round stands for all: the figures of the others are in the tables. */
  private static LineChart chart(Part cell, CellSeries series) {
    Optional<Double> from = cell.get(CellFigures.FROM, Window.STEADY);
    Optional<Double> to = cell.get(CellFigures.TO, Window.STEADY);
    return new LineChart(
        cell.name() + ", round " + cell.round(),
        cell.get(CellFigures.RATE, Window.STEADY)
            .map(
                steady ->
                    "%s GB/h from second %s to %s; %s with start and end"
                        .formatted(
                            Figures.threeDigits(steady),
                            Figures.oneDecimal(from.orElseThrow()),
                            Figures.oneDecimal(to.orElseThrow()),
                            Figures.threeDigits(cell.require(CellFigures.RATE, Window.WHOLE))))
            .orElse("no steady part"),
        "GB/h",
        "MB/s written",
        false,
        series.times(),
        List.of(
            line("text indexed", "--blue", false, series.gigabytesPerHour()),
            line("flushed", "--green", true, series.flushedPerSecond()),
            line("merged", "--brick", true, series.mergedPerSecond())),
        from.stream().map(start -> new LineChart.Band(start, to.orElseThrow())).toList(),
        List.of());
  }

  private static LineChart.Series line(
      String label, String colour, boolean right, List<Double> values) {
    return new LineChart.Series(label, colour, LineChart.Form.LINE, right, values);
  }

  private static String facts(Run run) {
    StringBuilder out = new StringBuilder();
    out.append("<section class=\"facts\" aria-labelledby=\"facts\">\n");
    out.append("<h2 id=\"facts\">Where this was measured</h2>\n");
    definitions(out, "Machine", EnvironmentFacts.of(run.environment()));
    definitions(out, "Workload", run.workload());
    Map<String, String> settings = new TreeMap<>();
    for (Part cell : run.parts()) {
      settings.put(
          cell.require(CellFigures.ARM),
          cell.settings().entrySet().stream()
              .map(setting -> setting.getKey() + "=" + setting.getValue())
              .reduce((a, b) -> a + ", " + b)
              .orElse(""));
    }
    definitions(out, "Arms", settings);
    out.append(
        "<h3>Command</h3>\n<pre>weir %s</pre>\n"
            .formatted(text(EnvironmentFacts.commandLine(run.command()))));
    return out.append(
            "<p class=\"hint\">GB is 1,000,000,000 bytes of text as UTF-8. The steady part is what"
                + " is left when the values at both ends that make the mean less certain are cut"
                + " off (MSER-5), in whole cycles of flushes. The whole cell lasts until all is flushed, merged and committed."
                + " A dash marks a value that was not measured.</p>\n</section>\n")
        .toString();
  }

  private static void definitions(StringBuilder out, String title, Map<String, String> facts) {
    if (facts.isEmpty()) {
      return;
    }
    out.append("<h3>").append(title).append("</h3>\n<dl>\n");
    facts.forEach(
        (name, value) -> out.append("<dt>%s</dt><dd>%s</dd>\n".formatted(text(name), text(value))));
    out.append("</dl>\n");
  }

  private static String text(String plain) {
    return HtmlText.escape(plain);
  }
}
