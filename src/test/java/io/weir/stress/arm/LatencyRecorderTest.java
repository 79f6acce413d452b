package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.Phase;
import java.util.Arrays;
import java.util.Random;
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
  void takeInterval_holdsWhatCameSinceTheLastOne() {
    recorder.record(Phase.BEFORE, 10);
    recorder.record(Phase.DURING, 20);
    Histogram first = recorder.takeInterval();
    recorder.record(Phase.DURING, 30);
    Histogram second = recorder.takeInterval();

    assertEquals(2, first.getTotalCount());
    assertEquals(20, first.getMaxValue());
    assertEquals(1, second.getTotalCount());
    assertEquals(30, second.getMaxValue());
    assertEquals(0, recorder.takeInterval().getTotalCount());
    assertEquals(
        2, recorder.summary(Phase.DURING).count(), "intervals take nothing from the phases");
  }

  private static void assertNear(long exactNanos, double millis) {
    assertEquals(exactNanos / 1e6, millis, exactNanos / 1e6 / 1000);
  }
}
