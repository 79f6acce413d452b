package io.weir.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.result.ArmResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReopenPanelTest {

  private static final ArmResult ARM = new SampleRun().arm("uncapped", 1, 0).result().arms().get(0);
  private static final SlowReopenMarks NONE = new SlowReopenMarks(List.of(), ARM);

  /** The cause is told by a number and words, so that it needs no colour. */
  @Test
  void of_slowReopens_areDrawnApartWithTheirCause() {
    SlowReopenMarks marks =
        new SlowReopenMarks(
            List.of(
                new SlowReopenRow(2_000_000_000L, "file_write", 0.5, 90_000_000),
                new SlowReopenRow(3_000_000_000L, "unmap", 0.714, 320_000_000),
                new SlowReopenRow(4_000_000_000L, "not_in_run_json", 0.4, 60_000_000)),
            ARM);
    Panel panel =
        ReopenPanel.of(
            List.of(row(1, 20, false), row(2, 90, false), row(3, 320, false), row(4, 60, true)),
            marks,
            10);
    assertEquals(Arrays.asList(20.0, null, null, null), panel.columns().get(0));
    assertEquals(Arrays.asList(null, 90.0, 320.0, null), panel.columns().get(1));
    assertEquals(Arrays.asList(null, null, null, 60.0), panel.columns().get(2));
    assertEquals(
        Arrays.asList(
            null, "2 writing a file, 50 % of 90 ms", "1 unmapping files, 71 % of 320 ms", null),
        panel.notes());
    assertTrue(
        panel
            .summary()
            .endsWith(
                "; what took most of the slow ones: 1 unmapping files (1), 2 writing a file (1),"
                    + " 3 not_in_run_json (1)"),
        panel.summary());
  }

  @Test
  void of_fewReopens_drawsEveryOneByIntendedStart() {
    Panel panel =
        ReopenPanel.of(List.of(row(2, 30, false), row(1, 20, false), row(3, 40, true)), NONE, 10);
    assertEquals(List.of(1.0, 2.0, 3.0), panel.xSeconds());
    assertEquals(Arrays.asList(20.0, 30.0, null), panel.columns().get(0));
    assertEquals(Arrays.asList(null, null, 40.0), panel.columns().get(2));
    assertEquals(
        "3 reopens, 3 of them during the merge; the slowest took 40 ms, at 3.0 s; 1 failed",
        panel.summary());
  }

  @Test
  void of_reopenThatNeverReturned_isAFailedMarkWithoutLatency() {
    Panel panel =
        ReopenPanel.of(List.of(new ReopenRow("after", 0, OptionalLong.empty(), true)), NONE, 10);
    assertEquals(Arrays.asList((Double) null), panel.columns().get(0));
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
    assertTrue(summary.endsWith("; drawn are the slowest of each 6"), summary);
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
