package io.weir.report.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.report.model.ReopenRow;
import io.weir.report.model.Timelines;
import io.weir.run.Part;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReopenPanelTest {

  private static final SlowReopenMarks NONE = new SlowReopenMarks(List.of(), null);

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
    SlowReopenMarks marks = new SlowReopenMarks(timelines.slowReopens(arms.get(0)), causes);
    Panel panel =
        ReopenPanel.of(
            List.of(row(1, 20, false), row(2, 90, false), row(3, 320, false), row(4, 60, true)),
            marks,
            10);
    assertEquals(Arrays.asList(20.0, Double.NaN, Double.NaN, Double.NaN), panel.columns().get(0));
    assertEquals(Arrays.asList(Double.NaN, 90.0, 320.0, Double.NaN), panel.columns().get(1));
    assertEquals(Arrays.asList(Double.NaN, Double.NaN, Double.NaN, 60.0), panel.columns().get(2));
    assertEquals(
        Arrays.asList(
            "", "3 writing a file, 50 % of 90 ms", "2 unmapping files, 71 % of 320 ms", ""),
        panel.notes());
    assertTrue(
        panel
            .summary()
            .endsWith(
                "; main causes of the slow ones: 2 unmapping files (1), 3 writing a file (1),"
                    + " 4 unheard (1)"),
        panel.summary());
    // A number means the same cause in every arm.
    assertEquals(
        Optional.of("1 full-flush merge wait, 90 % of 999 ms"),
        new SlowReopenMarks(timelines.slowReopens(arms.get(1)), causes).note(row(2, 999, false)));
  }

  @Test
  void of_fewReopens_drawsEveryOneByIntendedStart() {
    Panel panel =
        ReopenPanel.of(List.of(row(2, 30, false), row(1, 20, false), row(3, 40, true)), NONE, 10);
    assertEquals(List.of(1.0, 2.0, 3.0), panel.xSeconds());
    assertEquals(Arrays.asList(20.0, 30.0, Double.NaN), panel.columns().get(0));
    assertEquals(Arrays.asList(Double.NaN, Double.NaN, 40.0), panel.columns().get(2));
    assertEquals(
        "3 reopens, 3 during the merge; the slowest took 40 ms, at 3.0 s; 1 failed",
        panel.summary());
  }

  @Test
  void of_reopenThatNeverReturned_isAFailedMarkWithoutLatency() {
    Panel panel =
        ReopenPanel.of(List.of(new ReopenRow("after", 0, OptionalLong.empty(), true)), NONE, 10);
    assertEquals(Arrays.asList(Double.NaN), panel.columns().get(0));
    assertEquals(List.of(0.0), panel.columns().get(2));
    assertEquals("1 reopen; 1 failed", panel.summary());
  }

  @Test
  void of_moreThanTheLimit_keepsTheSlowestOfEachGroupAndEveryFailure() {
    List<ReopenRow> rows = new ArrayList<>();
    for (int i = 0; i < 100_003; i++) {
      rows.add(row(i, i % 1000 == 777 ? 900 + i % 13 : 1 + i % 7, i == 50_000 || i == 50_001));
    }
    List<ReopenRow> kept = ReopenPanel.thinned(rows, 20_000);
    assertTrue(kept.size() <= 20_002, () -> "kept " + kept.size());
    assertEquals(2, kept.stream().filter(ReopenRow::failed).count());
    String summary = ReopenPanel.of(rows, NONE, 20_000).summary();
    assertTrue(summary.endsWith("; only the slowest of every 6 is drawn"), summary);
    Set<ReopenRow> drawn = new HashSet<>(kept);
    int group = 6;
    for (int from = 0; from < rows.size(); from += group) {
      List<ReopenRow> neighbours = rows.subList(from, Math.min(rows.size(), from + group));
      long slowest = neighbours.stream().mapToLong(ReopenPanelTest::latency).max().orElseThrow();
      assertTrue(
          neighbours.stream().anyMatch(row -> latency(row) == slowest && drawn.contains(row)),
          () -> "the slowest of " + neighbours);
    }
  }

  private static long latency(ReopenRow row) {
    return row.latencyNanos().orElseThrow() / 1_000_000;
  }

  private static ReopenRow row(long atSeconds, long millis, boolean failed) {
    long from = atSeconds * 1_000_000_000;
    return new ReopenRow("during", from, OptionalLong.of(from + millis * 1_000_000), failed);
  }
}
