package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.Evidence.QueueDetector;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** The limit is 100 ms. */
class QueueDetectorTest {

  private static final long MILLI = 1_000_000;

  private QueueDetector detector = of(Percentile.P99);

  private static QueueDetector of(Percentile percentile) {
    return new QueueDetector(new LatencyTarget("search", percentile, Duration.ofMillis(100)));
  }

  private void tick(int runningMillis, long... latenciesMillis) {
    long[] nanos = new long[latenciesMillis.length];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = latenciesMillis[i] * MILLI;
    }
    detector.add(Samples.of(100 * MILLI, runningMillis * MILLI, nanos));
  }

  private void ticks(int count, int runningMillis, long... latenciesMillis) {
    Collections.nCopies(count, 0).forEach(i -> tick(runningMillis, latenciesMillis));
  }

  @Test
  void fastOperations_areNoQueue() {
    ticks(8, 5, 10, 12, 9, 8, 11, 10, 14, 10);
    assertFalse(detector.showsQueue());
    assertFalse(detector.wasSlow());
  }

  /** None of them is late yet. */
  @Test
  void mostBeyondHalfOfTheLimit_areAQueue_fromTheSecondTickOn() {
    tick(0, 60, 70, 80, 60, 70, 10, 12, 80);
    assertFalse(detector.showsQueue(), "one tick may be a pause");
    assertTrue(detector.wasSlow());

    tick(0, 60, 70, 80, 60, 70, 10, 12, 80);
    assertTrue(detector.showsQueue());
  }

  @Test
  void halfOfThemBeyondHalfOfTheLimit_areNoQueue() {
    ticks(8, 0, 60, 70, 80, 60, 11, 10, 12, 9);
    assertFalse(detector.showsQueue());
  }

  /** What waits behind the one that runs is not seen. */
  @Test
  void fewThatEndWhileOneRuns_areAQueue() {
    ticks(8, 20, 10, 12, 9, 8, 11, 10, 14, 10);
    tick(26, 10, 11);
    tick(26, 9);
    assertTrue(detector.showsQueue());

    tick(25, 9);
    assertFalse(detector.showsQueue(), "it has not run for more than a quarter of the limit");
  }

  @Test
  void fewThatEnd_areNoQueueWithoutOneThatRuns() {
    ticks(8, 20, 10, 12, 9, 8, 11, 10, 14, 10);
    ticks(8, 0);
    assertFalse(detector.showsQueue());
  }

  /** More than half of the usual number is enough: it varies. */
  @Test
  void someThatEndWhileOneRuns_areNoQueue() {
    ticks(80, 20, 10, 12, 9, 8, 11, 10, 14, 10);
    ticks(2, 90, 10, 11, 9, 12);
    assertFalse(detector.showsQueue());

    tick(90, 10, 11, 9);
    assertTrue(detector.showsQueue());
  }

  /** The load has become lighter, and one of the few operations takes long. */
  @Test
  void usualNumber_followsTheLoad() {
    ticks(80, 20, 10, 12, 9, 8, 11, 10, 14, 10);
    ticks(80, 20, 10, 12);
    tick(90, 10, 12);
    assertFalse(detector.showsQueue());
  }

  @Test
  void threeOperations_proveNothing() {
    ticks(8, 0, 10, 12, 9, 8, 11, 10, 14, 10);
    tick(0, 60, 70);
    tick(0, 60);
    assertFalse(detector.showsQueue());

    tick(0, 60, 70, 80);
    assertTrue(detector.showsQueue(), "with a fourth");
  }

  /** At two a tick, eight take four ticks. */
  @Test
  void rareOperations_takeMoreTicks() {
    ticks(3, 0, 60, 70);
    assertFalse(detector.showsQueue());
    tick(0, 60, 70);
    assertTrue(detector.showsQueue());
  }

  @Test
  void operationsTooRareForTwoSeconds_showNothing() {
    ticks(15, 90, 90);
    assertTrue(detector.showsQueue());
    tick(90);
    assertFalse(detector.showsQueue());
  }

  /** Of a median, half may even be late. */
  @Test
  void median_needsThreeQuarters() {
    detector = of(Percentile.P50);
    ticks(2, 0, 60, 70, 80, 60, 70, 90, 12, 8);
    assertFalse(detector.showsQueue());
    ticks(2, 0, 60, 70, 80, 60, 70, 90, 90, 8);
    assertTrue(detector.showsQueue());
  }

  @Test
  void formerTicks_canBeForgotten() {
    ticks(8, 0, 60, 70, 80, 60);
    detector.forget();
    tick(0, 60, 70, 80, 60);
    assertFalse(detector.showsQueue());
    tick(0, 60, 70, 80, 60);
    assertTrue(detector.showsQueue());
  }
}
