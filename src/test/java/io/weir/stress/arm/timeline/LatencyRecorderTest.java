package io.weir.stress.arm.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {

  private final LatencyRecorder recorder = new LatencyRecorder();

  @Test
  void summary_nothingRecorded_isEmpty() {
    assertEquals(LatencySummary.EMPTY, recorder.summary(Phase.DURING));
    assertEquals(0, recorder.summary(Phase.DURING).count());
  }

  @Test
  void summary_largestAndMean_areExactNotBuckets() {
    recorder.record(Phase.BEFORE, 1_000_000);
    recorder.record(Phase.BEFORE, 987_654_321_000L);

    LatencySummary summary = recorder.summary(Phase.BEFORE);

    assertEquals(987_654.321, summary.maxMillis());
    assertEquals(493_827.661, summary.meanMillis(), 0.0006);
    assertEquals(2, summary.count());
  }

  @Test
  void summary_percentiles_areWithinATenthOfAPercent() {
    Random random = new Random(5);
    long[] nanos = new long[20_000];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = (long) Math.exp(random.nextDouble(14, 25)); // 1.2 ms to 72 s
      recorder.record(Phase.AFTER, nanos[i]);
    }
    Arrays.sort(nanos);
    LatencySummary summary = recorder.summary(Phase.AFTER);

    assertNear(nanos[nanos.length / 2 - 1], summary.p50Millis());
    assertNear(nanos[nanos.length * 9 / 10 - 1], summary.p90Millis());
    assertNear(nanos[nanos.length * 99 / 100 - 1], summary.p99Millis());
  }

  @Test
  void summary_oneValue_noPercentileLiesAboveTheMaximum() {
    recorder.record(Phase.BEFORE, 1_234_567_890_123L);

    LatencySummary summary = recorder.summary(Phase.BEFORE);

    assertEquals(summary.maxMillis(), summary.p50Millis());
    assertEquals(summary.maxMillis(), summary.p99Millis());
  }

  @Test
  void summary_phases_areKeptApart() {
    recorder.record(Phase.WARMUP, 9_000_000);
    recorder.record(Phase.BEFORE, 1_000_000);
    recorder.record(Phase.DURING, 2_000_000);

    assertEquals(1, recorder.summary(Phase.BEFORE).maxMillis());
    assertEquals(2, recorder.summary(Phase.DURING).maxMillis());
    assertEquals(0, recorder.summary(Phase.AFTER).count());
  }

  @Test
  void takeIntervals_holdWhatCameSinceTheLastOneByPhase() {
    recorder.record(Phase.BEFORE, 10);
    recorder.record(Phase.DURING, 20);
    recorder.record(Phase.DURING, 21);
    Map<Phase, Histogram> first = recorder.takeIntervals();
    recorder.record(Phase.DURING, 30);
    Map<Phase, Histogram> second = recorder.takeIntervals();

    assertEquals(Set.of(Phase.BEFORE, Phase.DURING), first.keySet());
    assertEquals(10, first.get(Phase.BEFORE).getMaxValue());
    assertEquals(2, first.get(Phase.DURING).getTotalCount());
    assertEquals(Set.of(Phase.DURING), second.keySet());
    assertEquals(30, second.get(Phase.DURING).getMaxValue());
    assertEquals(Map.of(), recorder.takeIntervals());
    assertEquals(
        3, recorder.summary(Phase.DURING).count(), "intervals take nothing from the phases");
  }

  private static void assertNear(long exactNanos, double millis) {
    assertEquals(exactNanos / 1e6, millis, exactNanos / 1e6 / 1000);
  }
}
