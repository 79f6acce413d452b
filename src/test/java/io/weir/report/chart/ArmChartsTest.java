package io.weir.report.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.report.model.Timelines;
import io.weir.report.svg.ReportResource;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import io.weir.stress.result.Phases;
import io.weir.stress.result.WarmUpResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArmChartsTest {

  @TempDir Path directory;

  /** The times of points are from the end of the warm-up as requested, and this one went on. */
  @Test
  void mergeAfterAWarmUpThatWentOn_isWhereItsPointsAre() throws IOException {
    QuickResult arm = new QuickResult();
    arm.warmUp =
        Optional.of(
            new WarmUpResult(
                40, 77, Optional.of(true), Optional.of(3.5), Optional.of(3.4), Optional.of(0.5)));
    arm.phaseSeconds = new Phases<>(Optional.of(10.0), Optional.of(50.0), Optional.of(3.0));

    ArmCharts charts =
        ArmCharts.all(
                new QuickRun().result(List.of(arm.result("uncapped", 1))),
                Timelines.read(SampleRun.pair(directory)),
                new ArmCharts.Limits(100, 100, 100))
            .getFirst();

    assertEquals(47, charts.merge().orElseThrow().from(), 1e-9);
    assertEquals(97, charts.merge().orElseThrow().to(), 1e-9);
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
