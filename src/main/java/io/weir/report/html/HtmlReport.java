package io.weir.report.html;

import io.weir.report.chart.ArmCharts;
import io.weir.report.chart.ArmMarks;
import io.weir.report.chart.CapChart;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Overlay;
import io.weir.report.chart.SlowestChart;
import io.weir.report.model.CapCurves;
import io.weir.report.model.LatencyCurves;
import io.weir.report.model.ReopenPart;
import io.weir.report.model.SlowestReopens;
import io.weir.report.model.SlowestReopens.Slow;
import io.weir.report.model.Timelines;
import io.weir.report.svg.HtmlText;
import io.weir.report.svg.SvgPainter;
import io.weir.report.table.ArmTables;
import io.weir.report.table.CapTable;
import io.weir.report.table.ComparisonTable;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.words.Answer;
import io.weir.report.words.ArmRuns;
import io.weir.report.words.Figures;
import io.weir.report.words.Headline;
import io.weir.report.words.Remarks;
import io.weir.report.words.SloWords;
import io.weir.run.HeaderFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.SloResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Makes {@code report.html} of a run directory: failures and the answer, the arms over time, the
 * tables, and every chart.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user. A missing or incomplete CSV file only leaves charts empty.
 */
public final class HtmlReport {

  /** Some three windows of samples for each pixel of a wide screen. */
  static final ArmCharts.Limits LIMITS = new ArmCharts.Limits(20_000, 4_000, 4_000);

  /** What every measured arm has left, and most pictures are of. */
  private static final List<String> DRAWN = List.of("reopens.csv", "series.csv");

  private static final int SUMMARY_PARTS = 3;

  /** Reads the run and writes {@link RunFiles#reportHtml}. */
  public void write(RunFiles files) throws IOException {
    Run run = files.read();
    RunJson.replace(
        files.reportHtml(),
        new Report(run, Timelines.read(files), LatencyCurves.read(files, run)).render());
  }

  /** The page of one run. */
  private record Report(
      Run run, Timelines timelines, LatencyCurves curves, ArmMarks marks, Page page) {

    Report(Run run, Timelines timelines, LatencyCurves curves) {
      this(
          run,
          timelines,
          curves,
          new ArmMarks(run),
          new Page(
              "What readers felt while Lucene merged",
              Html.subtitle(run.startedAt(), run.duration(), run.weir(), run.lucene())));
    }

    String render() throws IOException {
      Answer answer = Answer.of(run);
      Remarks remarks = Remarks.of(run);
      boolean sweep = run.sweep().isPresent();
      page.add(Html.alerts(remarks, alerts()))
          .add(Html.answer(answer.paragraphs(), answer.caveat().orElse("")))
          .add(
              Html.headlines(
                  Headline.all(run).stream()
                      .map(headline -> Html.headline(headline.arm(), headline.sentence()))
                      .collect(Collectors.joining())))
          .add(Html.notes(remarks));
      if (sweep) {
        caps().ifPresent(caps -> page.section("glance", "What each cap costs", Html.tables(caps)));
      } else {
        atAGlance();
      }
      percentiles();
      page.section("figures", "The figures", Html.tables(tables()));
      slowest();
      charts();
      return page.section("facts", "Where this was measured", facts()).render();
    }

    /** What else went wrong than what is in the run itself. */
    private String alerts() {
      StringBuilder out = new StringBuilder();
      for (SloResult slo : run.slos()) {
        if (!slo.met()) {
          out.append(
              Html.failure(
                  "Missed",
                  "%s: %s, measured %s".formatted(slo.arm(), slo.slo(), SloWords.measured(slo))));
        }
      }
      int unreadable = timelines.unreadableLines() + curves.unreadableLines();
      if (unreadable > 0) {
        out.append(
            Html.warning(
                "Incomplete files",
                Figures.count(unreadable, "line")
                    + " of the CSV files and histogram logs could not be read"));
      }
      List<String> missing = timelines.missingFiles().stream().filter(DRAWN::contains).toList();
      if (!missing.isEmpty() && run.measured().findAny().isPresent()) {
        out.append(
            Html.warning(
                "Missing files",
                "%s not in the run directory, so pictures of these samples are missing"
                    .formatted(
                        String.join(" and ", missing) + (missing.size() == 1 ? " is" : " are"))));
      }
      return out.toString();
    }

    /** The arms over time; nothing when there is nothing to draw. */
    private void atAGlance() {
      List<ArmCharts> arms = ArmCharts.atAGlance(run, timelines);
      StringBuilder out = new StringBuilder();
      for (ArmCharts arm : arms) {
        if (arm.charts().stream().anyMatch(Chart::isMeasured)) {
          String name = HtmlText.escape(arm.arm().name());
          out.append(
              ChartFigure.of(
                  "data-glance=\"%s\"".formatted(name),
                  "<h3>%s</h3>".formatted(marked(arm.arm().name(), arm.arm().name())),
                  "",
                  ChartFigure.key(arm.charts(), false),
                  SvgPainter.inPage(
                      arm.arm().name()
                          + arm.charts().stream()
                              .map(chart -> ". " + chart.title() + ": " + chart.summary())
                              .collect(Collectors.joining()),
                      arm.charts())));
        }
      }
      page.section("glance", "Over time" + leftOut(arms), Html.two(out.toString()));
    }

    /** Words of an arm, behind the mark that it has where arms share a chart. */
    private String marked(String arm, String words) {
      return SvgPainter.mark(marks.series(arm, Form.SHAPE, List.of(), List.of()))
          + HtmlText.escape(words);
    }

    /** Says what is left out, if anything is. */
    private String leftOut(List<ArmCharts> arms) {
      List<String> parts = new ArrayList<>();
      if (ArmRuns.hasRounds(run)) {
        parts.add("round 1");
      }
      if (marks.names().size() > arms.size()) {
        parts.add("the first %d arms".formatted(arms.size()));
      }
      return parts.isEmpty()
          ? ""
          : " <small>%s; the charts further down show all</small>"
              .formatted(String.join(", ", parts));
    }

    private void percentiles() {
      String figures = PercentileFigures.of("arm", curves, marks);
      page.section(
          "percentiles",
          "How slow, how often",
          figures.isEmpty()
              ? ""
              : Html.hint(
                      "Latencies during the merge, all rounds of an arm together. The horizontal"
                          + " axis shows the percentile, the vertical axis the latency; both are"
                          + " logarithmic. Lower is better. A curve ends at its largest value.")
                  + Html.two(figures));
    }

    /** Objectives, differences and merges over the whole width, then the details. */
    private String tables() {
      ArmTables arms = new ArmTables(run);
      return (run.sweep().isEmpty() ? caps().orElse("") : "")
          + HtmlTable.of(
              arms.slos(),
              ComparisonTable.of(run),
              arms.merges(),
              arms.forecasts(),
              arms.deadlines())
          + HtmlTable.of(arms.loads())
          + HtmlTable.of(
              arms.slowReopens(),
              arms.pauses(),
              arms.cache(),
              arms.canaries(),
              arms.noise(),
              arms.instrument());
    }

    /** What each cap costs and what readers felt; empty unless arms differ in their caps. */
    private Optional<String> caps() {
      return CapCurves.of(run)
          .map(
              caps -> {
                Chart chart = CapChart.of(caps);
                return "<div class=\"card\">\n"
                    + ChartFigure.key(chart, false)
                    + SvgPainter.inPage(chart.summary(), List.of(chart))
                    + "</div>\n"
                    + HtmlTable.of(CapTable.of(run, caps));
              });
    }

    private void slowest() {
      List<SlowestReopens> arms = SlowestReopens.of(run, timelines);
      boolean rounds =
          arms.stream().flatMap(arm -> arm.slowest().stream()).anyMatch(slow -> slow.round() > 1);
      Set<ReopenPart> parts = EnumSet.noneOf(ReopenPart.class);
      arms.forEach(arm -> parts.addAll(arm.parts().keySet()));
      Optional<Double> most =
          arms.stream()
              .map(arm -> arm.slowest().getFirst().latencyNanos() / 1e6)
              .max(Double::compare)
              .filter(millis -> arms.size() > 1);
      StringBuilder figures = new StringBuilder();
      for (SlowestReopens arm : arms) {
        String summary = summary(arm);
        figures.append(
            ChartFigure.of(
                "data-slowest=\"%d\"".formatted(marks.names().indexOf(arm.arm())),
                "<h3>%s</h3>".formatted(marked(arm.arm(), arm.arm())),
                summary,
                "",
                SvgPainter.inPage(
                        arm.arm() + ": " + summary, SlowestChart.of(arm, summary, rounds, most))
                    + "<details><summary>The same as a table</summary>\n"
                    + HtmlTable.of(table(arm, parts, rounds))
                    + "</details>\n"));
      }
      page.section(
          "slowest",
          "Where the slowest reopens spent their time",
          arms.isEmpty()
              ? ""
              : Html.hint(
                      ("The %d slowest reopens of each arm during the merge%s, from their intended"
                              + " start. Each arm has its own scale; the strip above its bars"
                              + " compares its slowest reopen with the slowest of all arms. The"
                              + " numbers stand for the parts of a reopen, in their order.")
                          .formatted(SlowestReopens.MOST, rounds ? ", in all rounds" : ""))
                  + key(parts)
                  + Html.two(figures.toString()));
    }

    private static String key(Set<ReopenPart> parts) {
      return "<ol class=\"key parts\">"
          + parts.stream()
              .map(
                  part ->
                      "<li>%s%d %s</li>"
                          .formatted(
                              SvgPainter.mark(SlowestChart.series(part)),
                              part.number(),
                              part.label()))
              .collect(Collectors.joining())
          + "</ol>\n";
    }

    /**
     * {@code The slowest 10 of 1391 reopens took 28 to 64 ms: apply deletes 52 %, flush 30 %, warm
     * 5 %}.
     */
    private static String summary(SlowestReopens arm) {
      String least = Figures.brief(arm.slowest().getLast().latencyNanos() / 1e6);
      String most = Figures.brief(arm.slowest().getFirst().latencyNanos() / 1e6);
      String parts =
          arm.parts().entrySet().stream()
              .sorted(Map.Entry.<ReopenPart, Long>comparingByValue().reversed())
              .limit(SUMMARY_PARTS)
              .map(
                  part ->
                      "%s %d %%"
                          .formatted(
                              part.getKey().label(),
                              Math.round(100.0 * part.getValue() / arm.totalNanos())))
              .collect(Collectors.joining(", "));
      return "The slowest %d of %s took %s ms: %s"
          .formatted(
              arm.slowest().size(),
              Figures.count(arm.count(), "reopen"),
              least.equals(most) ? most : least + " to " + most,
              parts);
    }

    private static Table table(SlowestReopens arm, Set<ReopenPart> parts, boolean rounds) {
      Sheet<Slow> sheet =
          Sheet.<Slow>of("The slowest reopens of " + arm.arm() + " by part")
              .word("due at", "s", row -> Figures.oneDecimal(row.reopen().intendedNanos() / 1e9))
              .text("round", "", row -> Integer.toString(row.round()))
              .when(rounds);
      for (ReopenPart part : parts) {
        sheet =
            sheet.text(
                part.label(),
                "ms",
                row -> Figures.oneDecimal(row.reopen().parts().getOrDefault(part, 0L) / 1e6));
      }
      return sheet
          .text("latency", "ms", row -> Figures.oneDecimal(row.latencyNanos() / 1e6))
          .table(arm.slowest());
    }

    /** Every chart, with the arms side by side or, where several merged, in shared charts. */
    private void charts() {
      List<ArmCharts> arms = ArmCharts.all(run, timelines, LIMITS);
      StringBuilder beside = new StringBuilder();
      Set<String> differing = differingSettings();
      for (int i = 0; i < arms.size(); i++) {
        Part arm = arms.get(i).arm();
        String title = HtmlText.escape(title(arm));
        beside.append(
            "<section class=\"arm charts-%d\" aria-label=\"%s\">\n<header><h3>%s</h3><p>%s</p></header>\n"
                .formatted(
                    arms.get(i).charts().size(),
                    title,
                    marked(arm.name(), title(arm)),
                    HtmlText.escape(settings(arm, differing))));
        for (Chart chart : arms.get(i).charts()) {
          beside.append(
              page.figure(
                  "data-arm=\"%d\" data-panel=\"%s\"".formatted(i, chart.id()),
                  "h4",
                  title(arm) + ", " + chart.title(),
                  chart));
        }
        beside.append("</section>\n");
      }
      List<Overlay> overlays = Overlay.of(arms, marks);
      page.section(
          "charts",
          "Every chart of the run",
          Page.HINT.formatted("Each chart has the same scale in every arm and round.")
              + (overlays.isEmpty() ? "" : CHOICE)
              + "<div id=\"beside\">\n"
              + Html.hint(
                  "Each column is one arm. Time is in seconds since the end of the warm-up. The"
                      + " shaded span is the merge.")
              + "<div class=\"arms\">\n"
              + beside
              + "</div>\n</div>\n<div id=\"over\" hidden>\n"
              + Html.hint(
                  "Time is in seconds since the start of the merge. The bars at the top show the"
                      + " merge of each arm, or the same window without a merge.")
              + overlays.stream().map(this::overlay).collect(Collectors.joining())
              + "</div>\n");
    }

    private static final String CHOICE =
        """
        <fieldset class="choice" id="layout" hidden>
        <legend>Arms</legend>
        <label><input type="radio" name="layout" value="beside" checked autocomplete="off">side by side</label>
        <label><input type="radio" name="layout" value="over" autocomplete="off">overlaid, aligned at the start of the merge</label>
        </fieldset>
        """;

    private String overlay(Overlay overlay) {
      String figures =
          overlay.charts().stream()
              .map(
                  chart ->
                      page.figure(
                          "data-overlay=\"%s\"".formatted(chart.id()),
                          "h4",
                          "%s, %s, aligned at the start of the merge"
                              .formatted(chart.title(), overlay.title()),
                          chart))
              .collect(Collectors.joining());
      return "<section class=\"round\" aria-label=\"%s\">\n<h3>%s</h3>\n%s%s</section>\n"
          .formatted(
              overlay.title(),
              overlay.title(),
              overlay.missing().isEmpty()
                  ? ""
                  : Html.hint(
                      "Not drawn, because no merge began: %s."
                          .formatted(String.join("; ", overlay.missing()))),
              Html.two(figures));
    }

    private String facts() {
      Map<String, String> workload = new LinkedHashMap<>(run.workload());
      run.values()
          .get(HeaderFigures.QUERIES_KIND)
          .ifPresent(
              kind ->
                  workload.put(
                      "queries", kind + ", " + run.values().require(HeaderFigures.QUERIES_COUNT)));
      Map<String, String> arms = new LinkedHashMap<>();
      run.parts().forEach(arm -> arms.put(title(arm), Html.settings(arm.settings())));
      return Html.facts(
          run.environment(),
          workload,
          arms,
          run.command(),
          "Latencies are measured from the intended start, so they include waiting. The largest"
              + " value is always exact. A p99 takes 1,000 operations of the arm in all rounds that"
              + " agree, a p90 takes 100. MB is 1,000,000 bytes. A dash marks a value that was not"
              + " measured or cannot be known.");
    }

    private String title(Part arm) {
      return ArmRuns.hasRounds(run) ? arm.name() + ", round " + arm.round() : arm.name();
    }

    /** Names of the settings in which arms differ: the subject of the comparison. */
    private Set<String> differingSettings() {
      Set<String> names = new TreeSet<>();
      run.parts().forEach(arm -> names.addAll(arm.settings().keySet()));
      names.removeIf(
          name ->
              run.parts().stream()
                      .map(arm -> Optional.ofNullable(arm.settings().get(name)))
                      .collect(Collectors.toCollection(HashSet::new))
                      .size()
                  < 2);
      return names;
    }

    private static String settings(Part arm, Set<String> wanted) {
      Map<String, String> settings = new LinkedHashMap<>(arm.settings());
      settings.keySet().retainAll(wanted);
      return Html.settings(settings);
    }
  }
}
