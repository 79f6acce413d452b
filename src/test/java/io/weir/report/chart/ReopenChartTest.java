package io.weir.report.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.report.chart.Chart.Note;
import io.weir.report.model.ReopenRow;
import io.weir.report.model.Timelines;
import io.weir.run.Part;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReopenChartTest {

  private static final SlowReopenCauses.OfArm NONE =
      new SlowReopenCauses(List.of(), null).of(List.of());

  @TempDir Path directory;

  /** The cause is told by a number and words, so that it needs no colour. */
  @Test
  void of_slowReopens_areDrawnApartWithTheirCause() throws IOException {
    RunFiles files = new SampleRun().arm("a", 1, 0).arm("b", 1, 10).write(directory);
    String header = Files.readString(files.slowReopensCsv()).lines().findFirst().orElseThrow();
    Files.writeString(
        files.slowReopensCsv(),
        header
            + "\na,1,during,2000000000,2,2,90000000,flush,file_write,0.5,,1,1,,,\n"
            + "a,1,during,3000000000,3,3,320000000,flush,unmap,0.714,,1,1,,,\n"
            + "a,1,during,4000000000,4,4,60000000,flush,unheard,0.4,,1,1,,,\n"
            + "b,1,during,2000000000,2,2,999000000,flush,merge_wait,0.9,,1,1,,,\n");
    Timelines timelines = Timelines.read(files);
    List<Part> arms = files.read().parts();
    SlowReopenCauses causes = new SlowReopenCauses(arms, timelines);
    Chart chart =
        ReopenChart.of(
            List.of(row(1, 20, false), row(2, 90, false), row(3, 320, false), row(4, 60, true)),
            causes.of(timelines.slowReopens(arms.get(0))),
            10);
    assertPoints(List.of(1.0), List.of(20.0), chart.series("latency"));
    assertPoints(List.of(2.0, 3.0), List.of(90.0, 320.0), chart.series("slow"));
    assertPoints(List.of(4.0), List.of(60.0), chart.series("failed"));
    assertEquals(
        List.of(
            new Note("3", "3 writing a file, 50 % of 90 ms"),
            new Note("2", "2 unmapping files, 71 % of 320 ms")),
        chart.series("slow").notes());
    assertTrue(
        chart
            .summary()
            .endsWith(
                "; main causes of the slow ones: 2 unmapping files (1), 3 writing a file (1),"
                    + " 4 unheard (1)"),
        chart.summary());
    // A number means the same cause in every arm.
    assertEquals(
        Optional.of("1 full-flush merge wait, 90 % of 999 ms"),
        causes.of(timelines.slowReopens(arms.get(1))).note(row(2, 999, false)).map(Note::words));
  }

  @Test
  void of_fewReopens_drawsEveryOneByIntendedStart() {
    Chart chart =
        ReopenChart.of(List.of(row(2, 30, false), row(1, 20, false), row(3, 40, true)), NONE, 10);
    assertPoints(List.of(1.0, 2.0), List.of(20.0, 30.0), chart.series("latency"));
    assertPoints(List.of(3.0), List.of(40.0), chart.series("failed"));
    assertEquals(
        "3 reopens, 3 during the merge; the slowest took 40 ms, at 3.0 s; 1 failed",
        chart.summary());
  }

  @Test
  void of_reopenThatNeverReturned_isAFailedMarkWithoutLatency() {
    Chart chart =
        ReopenChart.of(List.of(new ReopenRow("after", 0, OptionalLong.empty(), true)), NONE, 10);
    assertPoints(List.of(), List.of(), chart.series("latency"));
    assertPoints(List.of(0.0), List.of(0.0), chart.series("failed"));
    assertEquals("1 reopen; 1 failed", chart.summary());
  }

  @Test
  void of_moreThanTheLimit_keepsTheSlowestOfEachGroupAndEveryFailure() {
    List<ReopenRow> rows = new ArrayList<>();
    for (int i = 0; i < 100_003; i++) {
      rows.add(row(i, i % 1000 == 777 ? 900 + i % 13 : 1 + i % 7, i == 50_000 || i == 50_001));
    }
    List<ReopenRow> kept = ReopenChart.thinned(rows, 20_000);
    assertTrue(kept.size() <= 20_002, () -> "kept " + kept.size());
    assertEquals(2, kept.stream().filter(ReopenRow::failed).count());
    String summary = ReopenChart.of(rows, NONE, 20_000).summary();
    assertTrue(summary.endsWith("; only the slowest of every 6 is drawn"), summary);
    Set<ReopenRow> drawn = new HashSet<>(kept);
    int group = 6;
    for (int from = 0; from < rows.size(); from += group) {
      List<ReopenRow> neighbours = rows.subList(from, Math.min(rows.size(), from + group));
      long slowest = neighbours.stream().mapToLong(ReopenChartTest::latency).max().orElseThrow();
      assertTrue(
          neighbours.stream().anyMatch(row -> latency(row) == slowest && drawn.contains(row)),
          () -> "the slowest of " + neighbours);
    }
  }

  private static void assertPoints(List<Double> x, List<Double> y, Chart.Series series) {
    assertEquals(x, series.x(), series.id());
    assertEquals(y, series.y(), series.id());
  }

  private static long latency(ReopenRow row) {
    return row.latencyNanos().orElseThrow() / 1_000_000;
  }

  private static ReopenRow row(long atSeconds, long millis, boolean failed) {
    long from = atSeconds * 1_000_000_000;
    return new ReopenRow("during", from, OptionalLong.of(from + millis * 1_000_000), failed);
  }
}
