package io.weir.report.load;

import io.weir.report.chart.ArmMarks;
import io.weir.report.chart.Chart;
import io.weir.report.chart.PercentileChart;
import io.weir.report.html.ChartFigure;
import io.weir.report.html.Html;
import io.weir.report.html.HtmlTable;
import io.weir.report.html.Page;
import io.weir.report.model.LatencyCurve;
import io.weir.report.svg.PictureFile;
import io.weir.report.words.Remarks;
import io.weir.run.LatencySummary;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.StepFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes {@code report.html} and {@code report.svg} of a run of {@code weir load}: one file that
 * needs no network, no script and no other file.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user.
 */
public final class LoadPage {

  private static final String TITLE = "How much load this index bears";
  private static final int WIDTH = 900;

  /** Reads the run and writes both. */
  public void write(RunFiles files) throws IOException {
    Run run = files.read();
    LoadCharts charts = new LoadCharts(run, files);
    Chart p99 = charts.latency("p99", latency -> Optional.of(latency.p99Millis()));
    if (p99.isMeasured()) {
      PictureFile picture =
          new PictureFile(
              p99.summary(), WIDTH, List.of(), List.of(new PictureFile.Column("", List.of(p99))));
      RunJson.replace(files.reportSvg(), picture.render());
    }
    RunJson.replace(files.reportHtml(), render(run, charts));
  }

  private static String render(Run run, LoadCharts charts) throws IOException {
    Remarks remarks = Remarks.of(run);
    return new Page(TITLE, Html.subtitle(run.startedAt(), run.duration(), run.weir(), run.lucene()))
        .add(Html.alerts(remarks, ""))
        .add(Html.answer(Saturations.answer(run).stream().toList(), ""))
        .add(Html.headlines(headlines(run)))
        .add(Html.notes(remarks))
        .section(
            "p99",
            "p99 against load",
            Html.hint(
                    "Response times count from the intended start of each request, so they include"
                        + " waiting. A point is the median of the rounds, its whisker the least and"
                        + " the most. Both scales are logarithmic.")
                + Html.two(byLoad(charts)))
        .section(
            "percentiles",
            "How slow, how often, at each load <small>round 1</small>",
            Html.two(percentiles(run, charts)))
        .section("use", "What each load used", Html.two(use(run, charts)))
        .section(
            "memory",
            "Memory and the collector <small>round 1</small>",
            Html.two(memory(run, charts)))
        .section("figures", "The figures", Html.tables(HtmlTable.of(LoadTables.of(run))))
        .section("facts", "Where this was measured", facts(run))
        .render();
  }

  /** Latencies against load, on one scale. */
  private static String byLoad(LoadCharts charts) {
    List<Chart> measured =
        Stream.of(
                charts.latency("p99", latency -> Optional.of(latency.p99Millis())),
                charts.latency("p50", latency -> Optional.of(latency.p50Millis())),
                charts.latency("p99.9", LatencySummary::p999Millis),
                charts.latency("the largest", latency -> Optional.of(latency.maxMillis())))
            .filter(Chart::isMeasured)
            .toList();
    return measured.isEmpty()
        ? ""
        : Chart.onOneScale(measured, measured.getFirst().x()).stream()
            .map(LoadPage::picture)
            .collect(Collectors.joining());
  }

  private static String picture(Chart chart) {
    return ChartFigure.picture("", chart, "");
  }

  private static String headlines(Run run) {
    StringBuilder out = new StringBuilder();
    for (String name : run.names()) {
      out.append(Html.headline(name, Saturations.of(name, run.rounds(name)).sentence()));
    }
    return out.toString();
  }

  private static String percentiles(Run run, LoadCharts charts) throws IOException {
    List<Chart> ofArms = new ArrayList<>();
    for (String name : run.names()) {
      List<LatencyCurve> curves = charts.curves(name);
      if (!curves.isEmpty()) {
        ArmMarks loads = ArmMarks.ofParts(curves.stream().map(LatencyCurve::arm).toList());
        ofArms.add(PercentileChart.of(name, "Response time of " + name, curves, loads));
      }
    }
    return PercentileChart.onOneScale(ofArms).stream()
        .map(LoadPage::picture)
        .collect(Collectors.joining());
  }

  private static String use(Run run, LoadCharts charts) {
    StringBuilder out = new StringBuilder();
    run.names().forEach(name -> out.append(picture(charts.use(name))));
    return out.toString();
  }

  private static String memory(Run run, LoadCharts charts) throws IOException {
    StringBuilder out = new StringBuilder();
    for (String name : run.names()) {
      charts.memory(name).forEach(chart -> out.append(picture(chart)));
    }
    return out.toString();
  }

  private static String facts(Run run) {
    Map<String, String> workload = new LinkedHashMap<>(run.workload());
    run.parts().stream()
        .flatMap(arm -> arm.get(StepFigures.FLOOR).stream())
        .findFirst()
        .ifPresent(
            floor ->
                workload.put(
                    "client's own floor",
                    String.format(
                        Locale.ROOT,
                        "p50 %.2f ms, p99 %.2f ms, max %.2f ms",
                        floor.p50Millis(),
                        floor.p99Millis(),
                        floor.maxMillis())));
    Map<String, String> arms = new LinkedHashMap<>();
    for (String name : run.names()) {
      Map<String, String> settings = run.rounds(name).getFirst().settings();
      if (!settings.isEmpty()) {
        arms.put(name, Html.settings(settings));
      }
    }
    return Html.facts(
        run.environment(),
        workload,
        arms,
        run.command(),
        "A dash marks a value that was not measured. Requests whose time was mostly a stall of the"
            + " client are set aside: they are in no figure of the server. Requests that were never"
            + " answered count with the time that the client waited.");
  }
}
