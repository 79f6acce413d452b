package io.weir.report.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.report.chart.ArmMarks;
import io.weir.report.chart.Chart;
import io.weir.report.chart.PercentileChart;
import io.weir.report.model.LatencyCurve;
import io.weir.report.model.LatencyCurves;
import io.weir.report.model.ReopenRow;
import io.weir.report.model.Timelines;
import io.weir.report.table.Table;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import io.weir.stress.arm.timeline.LatencyTally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
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
  void chart_curve_endsAtItsNumberOfValuesAndPassesItsPercentiles() {
    LatencyCurve shorter = curve(100);
    LatencyCurve longer = new LatencyCurve("b", curve(10_000).nanos(), 10_000_000_000L);
    ArmMarks marks = new ArmMarks(List.of("a", "b"));
    Chart chart = PercentileChart.of("", "X", List.of(shorter, longer), marks);
    List<Chart.Series> series = chart.series();

    assertEquals(2, series.get(0).x().getLast(), 1e-9, "1-1/100 is two nines");
    assertEquals(4, series.get(2).x().getLast(), 1e-9, "1-1/10000 is four");
    assertEquals(4, chart.x().high(), 1e-9);
    assertEquals(100, series.get(0).y().getLast(), "and at its largest");
    assertEquals("100 ms", series.get(0).end());
    assertEquals(3 + 1, series.get(1).x().size(), "what each can tell, and its end");
    assertEquals(5 + 1, series.get(3).x().size());
    assertTrue(
        chart.summary().contains("a: 100 values, p50 50 ms, p90 90 ms, p99 99 ms, largest 100 ms."),
        chart.summary());
    // The mark of p99 of the shorter stands where its curve is at that x.
    assertEquals(2, series.get(1).x().get(2), 1e-9);
    assertEquals(shorter.millisAt(99), series.get(1).y().get(2));
  }

  /** Beside each other they had scales of their own, and looked alike. */
  @Test
  void charts_besideEachOther_haveOneScale() {
    ArmMarks marks = new ArmMarks(List.of("a", "b"));
    LatencyCurve slow = new LatencyCurve("b", curve(10_000).nanos(), 10_000_000_000L);
    List<Chart> charts =
        PercentileChart.onOneScale(
            List.of(
                PercentileChart.of("", "X", List.of(curve(100)), marks),
                PercentileChart.of("", "Y", List.of(slow), marks)));

    assertEquals(charts.get(0).x(), charts.get(1).x());
    assertEquals(charts.get(0).left(), charts.get(1).left());
    assertEquals(4, charts.get(0).x().high(), 1e-9);
  }

  @Test
  void table_percentileBeyondTheValues_isADash() {
    Table table = PercentileFigures.table("arm", "Reopen latency", "reopens", List.of(curve(50)));
    assertEquals(
        List.of("arm", "reopens", "p50", "max"),
        table.columns().stream().map(Table.Column::name).toList());
    List<Optional<String>> both =
        PercentileFigures.table(
                "arm", "Reopen latency", "reopens", List.of(curve(999), curve(1000)))
            .rows()
            .get(0)
            .cells();
    assertTrue(both.get(3).isPresent(), "p90 of 999 values");
    assertEquals(Optional.empty(), both.get(4), "p99 of 999 values");
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
}
