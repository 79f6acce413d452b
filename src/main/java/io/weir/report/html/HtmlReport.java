package io.weir.report.html;

import io.weir.report.chart.ArmCharts;
import io.weir.report.chart.ChartLimits;
import io.weir.report.model.LatencyCurves;
import io.weir.report.model.SlowestReopens;
import io.weir.report.model.Timelines;
import io.weir.report.svg.ArmMarks;
import io.weir.report.svg.HtmlText;
import io.weir.report.svg.ReportResource;
import io.weir.report.svg.TimePicture;
import io.weir.report.words.Notes;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes {@code report.html} of a run directory: one file that needs no network and no other file,
 * with the tables as plain HTML and the charts drawn by a script inside it.
 *
 * <p>The page's content security policy names the scripts and styles of this class by their hashes
 * and lets nothing else run or load. The name of an arm stays text, whatever it contains.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user. A missing or incomplete CSV file only leaves charts empty.
 */
public final class HtmlReport {

  /** Some three windows of samples for each pixel of a wide screen. */
  static final ChartLimits LIMITS = new ChartLimits(20_000, 4_000, 4_000);

  /** Reads the run and writes {@link RunFiles#reportHtml}. */
  public void write(RunFiles files) throws IOException {
    Run run = files.read();
    Timelines timelines = Timelines.read(files);
    LatencyCurves curves = LatencyCurves.read(files, run);
    RunJson.replace(files.reportHtml(), render(run, timelines, curves));
  }

  static String render(Run run, Timelines timelines, LatencyCurves curves) throws IOException {
    List<ArmCharts> arms = ArmCharts.all(run, timelines, LIMITS);
    String style =
        ReportResource.read("uplot/uPlot.min.css")
            + ReportResource.read("report.css")
            + ReportResource.read("caps.css")
            + ReportResource.read("time.css");
    String plot = ReportResource.read("uplot/uPlot.iife.min.js");
    String script = ReportResource.read("report.js") + ReportResource.read("overlay.js");
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
    texts.put(
        "alerts",
        parts.alerts(
            timelines.unreadableLines() + curves.unreadableLines(), timelines.missingFiles()));
    texts.put("answer", parts.answer());
    texts.put("headlines", parts.headlines());
    texts.put("notes", NotesSection.html(Notes.warnings(run), Notes.noise(run)));
    texts.put(
        "picture",
        run.sweep().isEmpty()
            ? PictureSection.overTime(run, new TimePicture(run, timelines))
            : PictureSection.caps(parts.caps()));
    texts.put("percentiles", PercentileSection.html(curves, marks));
    texts.put("slowest", SlowestSection.html(SlowestReopens.of(run, timelines), marks));
    texts.put("choice", overlay.choice());
    texts.put("overlay", overlay.html());
    texts.put("tables", parts.tables());
    texts.put("charts", parts.charts(arms));
    texts.put("facts", parts.facts());
    texts.put("plot-licence", HtmlText.escape(ReportResource.read("uplot/LICENSE")));
    return PageTemplate.fill(ReportResource.read("report.html"), texts);
  }
}
