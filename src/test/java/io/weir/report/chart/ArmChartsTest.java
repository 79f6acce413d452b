package io.weir.report.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.report.model.Timelines;
import io.weir.report.svg.ReportResource;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArmChartsTest {

  @TempDir Path directory;

  /** The times of points are from the end of the warm-up as requested, and this one went on. */
  @Test
  void mergeAfterAWarmUpThatWentOn_isWhereItsPointsAre() throws IOException {
    QuickResult arm = new QuickResult();
    arm.values
        .put(ArmFigures.WARM_UP_ASKED, 40.0)
        .put(ArmFigures.WARM_UP_SECONDS, 77.0)
        .put(ArmFigures.PHASE_SECONDS, Phase.BEFORE, 10.0)
        .put(ArmFigures.PHASE_SECONDS, Phase.DURING, 50.0)
        .put(ArmFigures.PHASE_SECONDS, Phase.AFTER, 3.0);

    ArmCharts charts =
        ArmCharts.all(
                new QuickRun().result(List.of(arm.result("uncapped", 1))),
                Timelines.read(SampleRun.pair(directory)),
                new ArmCharts.Limits(100, 100, 100))
            .getFirst();

    assertEquals(47, charts.merge().orElseThrow().from(), 1e-9);
    assertEquals(97, charts.merge().orElseThrow().to(), 1e-9);
  }

  @Test
  void cache_whereAnArmTellsWhatWasReadAgain_isDrawnBesideWhatWasRead() throws IOException {
    RunFiles files =
        new SampleRun().arm("old", 1, 10).refaults().arm("new", 1, 10).write(directory);
    List<ArmCharts> charts =
        ArmCharts.all(files.read(), Timelines.read(files), new ArmCharts.Limits(100, 100, 400));

    Chart told = charts.getLast().chart("cache");
    assertEquals(List.of("again", "read"), told.series().stream().map(Chart.Series::id).toList());
    assertTrue(told.series().stream().allMatch(Chart.Series::isMeasured));
    assertEquals("Peak 12 MB/s read from storage, 3.0 MB/s evicted and read again", told.summary());
    assertEquals(
        "Peak 12 MB/s read from storage", charts.getFirst().chart("cache").summary(), "not 0");
  }

  /** A run of an older Weir has no such column. */
  @Test
  void cache_whereNoArmTells_isNotThere() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    ArmCharts.all(files.read(), Timelines.read(files), new ArmCharts.Limits(100, 100, 100))
        .forEach(
            arm ->
                assertTrue(arm.charts().stream().noneMatch(chart -> chart.id().equals("cache"))));
  }

  @Test
  void processors_whereAnArmTellsWhoHadThem_areSharedAmongMergesTheRestAndOthers()
      throws IOException {
    RunFiles files =
        new SampleRun().arm("old", 1, 10).processors().arm("new", 1, 10).write(directory);
    List<ArmCharts> charts =
        ArmCharts.all(files.read(), Timelines.read(files), new ArmCharts.Limits(100, 100, 400));

    Chart told = charts.getLast().chart("processors");
    assertEquals(0.5, told.series("merges").mean(), 1e-6);
    assertEquals(1, told.series("rest").mean(), 1e-6, "without the merges");
    assertEquals(0.25, told.series("others").mean(), 1e-6, "without this JVM");
    assertEquals(8, told.series("cores").mean(), "all that there are");
    assertEquals(
        "Cores on average: 0.50 merges, 1.0 rest of the JVM, 0.25 other processes; the machine has"
            + " 8",
        told.summary());
  }

  /** As of an engine, whose process is another one, and of an older Weir. */
  @Test
  void processors_whereNoArmTells_areNotThere() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    ArmCharts.all(files.read(), Timelines.read(files), new ArmCharts.Limits(100, 100, 100))
        .forEach(
            arm ->
                assertTrue(
                    arm.charts().stream().noneMatch(chart -> chart.id().equals("processors"))));
  }

  /** An arm with a goal and with pauses has one chart more than the page had a layout for. */
  @Test
  void style_hasARowForEachOfAllCharts() throws IOException {
    String style = ReportResource.read("report.css");

    for (int charts = 6; charts <= ArmCharts.ORDER.size(); charts++) {
      String rule = ".charts-%d { grid-row: span %d; }".formatted(charts, charts + 1);
      assertTrue(style.contains(rule), rule);
    }
  }
}
