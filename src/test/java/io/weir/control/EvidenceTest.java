package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When operations near the limit are a queue, and when they are as usual. */
class EvidenceTest {

  private static final Duration LIMIT = Duration.ofMillis(50);
  private static final long FAST = 10_000_000;
  private static final long NEAR = 40_000_000;

  private final Evidence evidence =
      new Evidence(new LatencyTarget("search", Percentile.P99, LIMIT));

  private void ticks(int count, long nanos) {
    for (int i = 0; i < count; i++) {
      evidence.add(
          Samples.of(LIMIT.toNanos(), 0, nanos, nanos, nanos, nanos), LatencyGoal.TICK_NANOS, true);
    }
  }

  @Test
  void operationsThatBecomeSlow_areAQueue() {
    ticks(40, FAST);
    ticks(1, NEAR);
    assertTrue(evidence.wasSlow());
    assertFalse(evidence.showsQueue(), "one tick may be a pause");

    ticks(1, NEAR);
    assertTrue(evidence.showsQueue());
  }

  /** With such a limit no rate would help: merges must not stand back for good. */
  @Test
  void operationsThatAreUsuallySlow_areNoQueue() {
    ticks(8, NEAR);
    assertFalse(evidence.showsQueue(), "from the beginning");
    assertFalse(evidence.wasSlow());

    ticks(80, FAST);
    ticks(20, NEAR);
    assertTrue(evidence.showsQueue(), "for five seconds");
    ticks(60, NEAR);
    assertFalse(evidence.showsQueue(), "for twenty");
  }

  @Test
  void aCut_beginsANewSearchForAQueue() {
    ticks(40, FAST);
    ticks(2, NEAR);
    evidence.acquit();
    ticks(1, NEAR);
    assertFalse(evidence.showsQueue());
  }

  /** The process may have stood still. */
  @Test
  void ticksThatAreNotTrusted_areNoSign() {
    ticks(40, FAST);
    for (int i = 0; i < 4; i++) {
      evidence.add(
          Samples.of(LIMIT.toNanos(), 0, NEAR, NEAR, NEAR, NEAR), LatencyGoal.TICK_NANOS, false);
    }
    assertFalse(evidence.showsQueue());
  }
}
