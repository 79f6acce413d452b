package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.report.model.LatencyCurve;
import io.weir.report.model.LatencyCurves;
import io.weir.report.model.ReopenRow;
import io.weir.report.model.Timelines;
import io.weir.report.svg.ArmMarks;
import io.weir.report.svg.LogScale;
import io.weir.report.svg.PercentileChart;
import io.weir.report.table.Table;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.stress.arm.timeline.LatencyTally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatencyCurvesTest {

  @TempDir Path directory;

  @Test
  void read_oneRound_everyFigureIsTheTables() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    LatencyCurves curves = read(files);
    assertEquals(
        List.of("uncapped", "cap=10MB/s"),
        curves.reopens().stream().map(LatencyCurve::arm).toList());
    for (int i = 0; i < 2; i++) {
      assertIsTheTables(files.read().parts().get(i), curves.reopens().get(i));
    }
  }

  @Test
  void read_noFilesAtAll_isNoCurve() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    Files.delete(files.reopensCsv());
    for (String arm : List.of("uncapped", "cap=10MB/s")) {
      Files.delete(files.reopensHistogramLog(arm, 1));
      Files.delete(files.searchesHistogramLog(arm, 1));
    }
    assertEquals(new LatencyCurves(List.of(), List.of(), 0), read(files));
    new HtmlReport().write(files);
    assertFalse(Files.readString(files.reportHtml()).contains("How slow, how often"));
  }

  @Test
  void read_rounds_areOneCurve() throws IOException {
    RunFiles files = new SampleRun().arm("a", 1, 0).arm("a", 2, 0).write(directory);
    long count = 0;
    double max = 0;
    for (Part arm : files.read().measured().toList()) {
      count += arm.latency(ArmFigures.REOPEN, Phase.DURING).count();
      max = Math.max(max, arm.latency(ArmFigures.REOPEN, Phase.DURING).maxMillis());
    }
    LatencyCurve curve = read(files).reopens().get(0);
    assertEquals(count, curve.count());
    assertEquals(max, curve.maxMillis(), 0.001);
  }

  @Test
  void read_tornLine_costsItselfAlone() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    Path log = files.reopensHistogramLog("uncapped", 1);
    String last = Files.readAllLines(log).getLast();
    for (String torn : List.of(last.substring(0, last.length() - 9), "Tag=during,1.0", "Tag=")) {
      Files.writeString(log, torn + "\n", StandardOpenOption.APPEND);
    }
    LatencyCurves curves = read(files);
    assertEquals(3, curves.unreadableLines());
    assertIsTheTables(files.read().parts().get(0), curves.reopens().get(0));
  }

  @Test
  void has_percentile_endsWhereTheNumberOfValuesEnds() {
    assertTrue(curve(100).has(99));
    assertFalse(curve(99).has(99));
    assertTrue(curve(1000).has(99.9));
    assertFalse(curve(999).has(99.9));
    assertFalse(curve(1).has(50));
    assertTrue(curve(2).has(50));
  }

  @Test
  void svg_curve_endsAtItsNumberOfValuesAndPassesItsPercentiles() throws IOException {
    LatencyCurve shorter = curve(100);
    LatencyCurve longer = new LatencyCurve("b", curve(10_000).nanos(), 10_000_000_000L);
    Run run = new SampleRun().arm("a", 1, 0).arm("b", 1, 0).result();
    String svg = new PercentileChart(List.of(shorter, longer), new ArmMarks(run)).svg("X");
    List<String> paths = all(svg, "class=\"line\" d=\"([^\"]*)\"");
    assertEquals(500, lastX(paths.get(0)), "1-1/100 is two nines of four");
    assertEquals(1000, lastX(paths.get(1)), "1-1/10000 is four of four");
    assertEquals(
        (3 + 1) + (5 + 1),
        all(svg, "<svg class=\"mark\" x=\"([^%]*)").size(),
        "what each can tell, and its end");
    assertTrue(
        svg.contains("a: 100 values, p50 50 ms, p90 90 ms, p99 99 ms, largest 100 ms."), svg);
    assertFalse(svg.contains("a: 100 values, p50 50 ms, p90 90 ms, p99 99 ms, p99.9"), svg);
    // The mark of p99 of the shorter stands where its curve is at that x.
    LogScale scale = LogScale.round(5, 10_000, 100, 0);
    assertTrue(svg.contains("x=\"50.00%%\" y=\"%.2f%%\"".formatted(scale.at(99.007))), svg);
  }

  @Test
  void table_percentileBeyondTheValues_isADash() {
    Table table = PercentileSection.table("Reopen latency", "reopens", List.of(curve(50)));
    assertEquals(
        List.of("arm", "reopens", "p50", "p90", "max"),
        table.columns().stream().map(Table.Column::name).toList());
    List<Optional<String>> both =
        PercentileSection.table("Reopen latency", "reopens", List.of(curve(50), curve(1000)))
            .rows()
            .get(0)
            .cells();
    assertEquals(Optional.empty(), both.get(4), "p99 of 50 values");
  }

  /** Of 1 ms, 2 ms and so on. */
  private static LatencyCurve curve(int count) {
    Histogram nanos = new Histogram(3);
    for (int i = 1; i <= count; i++) {
      nanos.recordValue(i * 1_000_000L);
    }
    return new LatencyCurve("a", nanos, count * 1_000_000L);
  }

  /** What fills the tables of a real run is {@link LatencyTally}; a sample's are not rounded so. */
  private void assertIsTheTables(Part arm, LatencyCurve curve) throws IOException {
    LatencyTally tally = new LatencyTally();
    for (ReopenRow row : Timelines.read(new RunFiles(directory)).reopens(arm)) {
      if (row.phase().equals(Phase.DURING.label())) {
        tally.record(row.latencyNanos().getAsLong());
      }
    }
    LatencySummary table = tally.summary();
    LatencySummary reopens = arm.latency(ArmFigures.REOPEN, Phase.DURING);
    assertEquals(reopens.count(), curve.count());
    assertEquals(reopens.p99Millis(), curve.millisAt(99), table.p99Millis() / 1000);
    assertEquals(table.count(), curve.count());
    assertEquals(table.p50Millis(), curve.millisAt(50));
    assertEquals(table.p90Millis(), curve.millisAt(90));
    assertEquals(table.p99Millis(), curve.millisAt(99));
    assertEquals(table.maxMillis(), curve.maxMillis(), 0.001);
  }

  private static LatencyCurves read(RunFiles files) throws IOException {
    return LatencyCurves.read(files, files.read());
  }

  private static List<String> all(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static long lastX(String path) {
    Matcher steps = Pattern.compile("H(\\d+)").matcher(path);
    long last = -1;
    while (steps.find()) {
      last = Long.parseLong(steps.group(1));
    }
    return last;
  }
}
