package io.weir.report;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes {@code report.html} of a run directory: one file that needs no network and no other file,
 * with the tables as plain HTML and the charts drawn by a script inside it.
 *
 * <p>The page's content security policy lets nothing run or load but the very scripts and styles
 * this class put in, named by their hashes; whatever a user called an arm stays text.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user; a CSV file that is missing or torn only leaves charts empty.
 */
public final class HtmlReport {

  /** The most reopens drawn in one chart; of more, the slowest of each group of neighbours. */
  static final int REOPENS_LIMIT = 20_000;

  /** The most pauses drawn in one chart, likewise the longest. */
  static final int PAUSES_LIMIT = 4_000;

  /** The most windows of samples in one chart: some three for each pixel of a wide screen. */
  static final int WINDOWS_LIMIT = 4_000;

  /** Reads the run and writes {@link RunFiles#reportHtml}. */
  public void write(RunFiles files) throws IOException {
    RunResult run = files.readRun();
    Timelines timelines = Timelines.read(files);
    LatencyCurves curves = LatencyCurves.read(files, run, timelines);
    RunJson.replace(files.reportHtml(), render(run, timelines, curves));
  }

  static String render(RunResult run, Timelines timelines, LatencyCurves curves)
      throws IOException {
    List<ArmCharts> arms = charts(run, timelines, REOPENS_LIMIT, WINDOWS_LIMIT);
    String style =
        PageTemplate.resource("uplot/uPlot.min.css")
            + PageTemplate.resource("report.css")
            + PageTemplate.resource("caps.css");
    String plot = PageTemplate.resource("uplot/uPlot.iife.min.js");
    String script = PageTemplate.resource("report.js") + PageTemplate.resource("overlay.js");
    HtmlParts parts = new HtmlParts(run);
    ArmMarks marks = new ArmMarks(run);
    OverlayPanels overlay = new OverlayPanels(arms, marks);
    Map<String, String> texts = new HashMap<>();
    texts.put("style-hash", PageTemplate.policyHash(style));
    texts.put(
        "script-hashes", PageTemplate.policyHash(plot) + " " + PageTemplate.policyHash(script));
    texts.put("style", style);
    texts.put("plot-script", plot);
    texts.put("script", script);
    texts.put("data", HtmlText.escapeJson(ChartData.json(arms)));
    texts.put("subtitle", parts.subtitle());
    texts.put("alerts", parts.alerts(timelines.unreadableLines() + curves.unreadableLines()));
    texts.put("headlines", parts.headlines());
    texts.put("percentiles", PercentileSection.html(curves, marks));
    texts.put("slowest", SlowestSection.html(SlowestReopens.of(run, timelines), marks));
    texts.put("choice", overlay.choice());
    texts.put("overlay", overlay.html());
    texts.put("tables", parts.tables());
    texts.put("charts", parts.charts(arms));
    texts.put("facts", parts.facts());
    texts.put("plot-licence", HtmlText.escape(PageTemplate.resource("uplot/LICENSE")));
    return PageTemplate.fill(PageTemplate.resource("report.html"), texts);
  }

  /**
   * The charts of every arm.
   *
   * @param reopensLimit the most reopens in one
   * @param windowsLimit the most windows of samples in one
   */
  static List<ArmCharts> charts(
      RunResult run, Timelines timelines, int reopensLimit, int windowsLimit) {
    DirtyView view = DirtyView.of(run.arms().stream().map(timelines::samples).toList());
    SlowReopenCauses causes = new SlowReopenCauses(run.arms(), timelines);
    boolean pauses = run.arms().stream().anyMatch(arm -> GcPausePanel.told(arm, timelines));
    List<ArmCharts> charts = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      List<Panel> panels = new ArrayList<>();
      SlowReopenMarks marks = new SlowReopenMarks(timelines.slowReopens(arm), causes);
      panels.add(ReopenPanel.of(timelines.reopens(arm), marks, reopensLimit));
      if (pauses) {
        panels.add(GcPausePanel.of(arm, timelines, PAUSES_LIMIT));
      }
      panels.addAll(new SamplePanels(timelines.samples(arm), windowsLimit).all(view));
      panels.sort(Comparator.comparing(Panel::kind));
      charts.add(ArmCharts.of(arm, panels, timelines.samples(arm)));
    }
    return charts;
  }
}
