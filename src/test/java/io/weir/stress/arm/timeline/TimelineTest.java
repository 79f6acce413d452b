package io.weir.stress.arm.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.fakes.SteppedClock;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TimelineTest {

  private static final long SECOND = 1_000_000_000;

  private final AutoClock clock = new AutoClock();

  @Test
  void nowNanos_atTheStart_isMinusTheWarmup() {
    clock.advanceNanos(12_345);
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(2));

    assertEquals(-2 * SECOND, timeline.nowNanos());
    assertEquals(-2 * SECOND, timeline.firstNanos());
    clock.advanceNanos(5 * SECOND);
    assertEquals(3 * SECOND, timeline.nowNanos());
  }

  @Test
  void phaseOf_eachSideOfEachBorder_isTheRightPhase() {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(1));
    assertEquals(Phase.WARMUP, timeline.phaseOf(-1));
    assertEquals(Phase.BEFORE, timeline.phaseOf(0));
    assertEquals(Phase.BEFORE, timeline.phaseOf(Long.MAX_VALUE - 1));

    timeline.mergeStarts(10);
    assertEquals(Phase.BEFORE, timeline.phaseOf(9));
    assertEquals(Phase.DURING, timeline.phaseOf(10));
    assertEquals(Phase.DURING, timeline.phaseOf(Long.MAX_VALUE - 1));

    timeline.mergeEnded(20);
    assertEquals(Phase.DURING, timeline.phaseOf(19));
    assertEquals(Phase.AFTER, timeline.phaseOf(20));
  }

  @Test
  void warmup_thatGoesOn_movesTheBeginningOfBefore() {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(1));
    assertEquals(0, timeline.warmupEndNanos());

    timeline.warmupGoesOnUntil(2 * SECOND);

    assertEquals(Phase.WARMUP, timeline.phaseOf(2 * SECOND - 1));
    assertEquals(Phase.BEFORE, timeline.phaseOf(2 * SECOND));
    timeline.mergeStarts(5 * SECOND);
    timeline.mergeEnded(6 * SECOND);
    timeline.endAt(7 * SECOND);
    assertPhases(timeline, Optional.of(3.0), Optional.of(1.0), Optional.of(1.0));
  }

  @Test
  void phaseSeconds_stoppedWhileTheWarmupGoesOn_areAllAbsent() {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(1));
    timeline.warmupGoesOnUntil(2 * SECOND);
    clock.advanceNanos(2 * SECOND);
    timeline.stop();

    assertPhases(timeline, Optional.empty(), Optional.empty(), Optional.empty());
  }

  @Test
  void phaseSeconds_wholeArm_areExact() {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(1));
    timeline.mergeStarts(2 * SECOND);
    timeline.mergeEnded(5 * SECOND);
    timeline.endAt(9 * SECOND);

    assertPhases(timeline, Optional.of(2.0), Optional.of(3.0), Optional.of(4.0));
  }

  @Test
  void phaseSeconds_stoppedInTheWarmup_areAllAbsent() {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(1));
    clock.advanceNanos(SECOND / 2);
    timeline.stop();

    assertPhases(timeline, Optional.empty(), Optional.empty(), Optional.empty());
  }

  @Test
  void phaseSeconds_stoppedBeforeTheMerge_haveOnlyBefore() {
    Timeline timeline = new Timeline(clock, Duration.ZERO);
    clock.advanceNanos(3 * SECOND);
    timeline.stop();

    assertPhases(timeline, Optional.of(3.0), Optional.empty(), Optional.empty());
  }

  @Test
  void phaseSeconds_stoppedInTheMerge_endThere() {
    Timeline timeline = new Timeline(clock, Duration.ZERO);
    timeline.mergeStarts(2 * SECOND);
    clock.advanceNanos(3 * SECOND);
    timeline.stop();

    assertPhases(timeline, Optional.of(2.0), Optional.of(1.0), Optional.empty());
  }

  @Test
  void awaitDue_beforeTheEnd_waitsUntilExactlyThen() {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(1));

    assertTrue(timeline.awaitDue(123_456_789));
    assertEquals(123_456_789, timeline.nowNanos());
  }

  @Test
  void awaitDue_atTheEnd_isNotDone() {
    Timeline timeline = new Timeline(clock, Duration.ZERO);
    timeline.endAt(SECOND);

    assertFalse(timeline.awaitDue(SECOND));
    assertTrue(timeline.awaitDue(SECOND - 1));
  }

  @Test
  void awaitDue_longPastAndAfterTheEnd_isStillDone() {
    Timeline timeline = new Timeline(clock, Duration.ZERO);
    timeline.endAt(SECOND);
    clock.advanceNanos(20 * SECOND);

    assertTrue(timeline.awaitDue(SECOND - 1));
  }

  @Test
  void awaitDue_endIsSetMeanwhile_isNotDone() throws Exception {
    SteppedClock stepped = new SteppedClock();
    Timeline timeline = new Timeline(stepped, Duration.ZERO);
    FutureTask<Boolean> waiting = new FutureTask<>(() -> timeline.awaitDue(3600 * SECOND));
    Thread thread = Thread.ofPlatform().start(waiting);
    stepped.awaitParked(thread);

    timeline.endAt(0);
    stepped.advanceNanos(SECOND / 10);

    assertFalse(waiting.get(60, TimeUnit.SECONDS));
  }

  @Test
  void awaitEnd_waitsUntilTheEnd() {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(1));
    timeline.endAt(4 * SECOND + 1);
    assertFalse(timeline.ended());

    timeline.awaitEnd();

    assertEquals(4 * SECOND + 1, timeline.nowNanos());
    assertTrue(timeline.ended());
  }

  @Test
  void drainEnd_ofAnOrdinaryEnd_isThirtySecondsLater() {
    Timeline timeline = new Timeline(clock, Duration.ZERO);
    assertEquals(Long.MAX_VALUE, timeline.drainEndNanos());

    timeline.endAt(SECOND);

    assertEquals(31 * SECOND, timeline.drainEndNanos());
  }

  @Test
  void stop_endsNowAndDrainsNothing() {
    Timeline timeline = new Timeline(clock, Duration.ZERO);
    timeline.endAt(10 * SECOND);
    clock.advanceNanos(SECOND);

    timeline.stop();

    assertEquals(SECOND, timeline.endNanos());
    assertEquals(SECOND, timeline.drainEndNanos());
  }

  @Test
  void endAt_later_doesNotMoveTheEnd() {
    Timeline timeline = new Timeline(clock, Duration.ZERO);
    timeline.endAt(SECOND);
    timeline.endAt(2 * SECOND);

    assertEquals(SECOND, timeline.endNanos());
  }

  /** The arm sets its ordinary end while a stop comes from the keyboard: the stop was lost. */
  @Test
  void endAt_fromTwoThreadsAtOnce_keepsTheEarlier() throws Exception {
    int trials = 20_000;
    Timeline[] timelines = new Timeline[trials];
    for (int i = 0; i < trials; i++) {
      timelines[i] = new Timeline(clock, Duration.ZERO);
    }
    AtomicInteger arrived = new AtomicInteger();
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      Future<?> early = pool.submit(() -> endAll(timelines, 1, arrived));
      Future<?> late = pool.submit(() -> endAll(timelines, 2, arrived));
      early.get(60, TimeUnit.SECONDS);
      late.get(60, TimeUnit.SECONDS);
    }
    for (Timeline timeline : timelines) {
      assertEquals(1, timeline.endNanos());
    }
  }

  /** Both threads meet before each trial. */
  private static void endAll(Timeline[] timelines, long nanos, AtomicInteger arrived) {
    for (int i = 0; i < timelines.length; i++) {
      arrived.incrementAndGet();
      while (arrived.get() < 2 * (i + 1)) {
        Thread.onSpinWait();
      }
      timelines[i].endAt(nanos);
    }
  }

  private static void assertPhases(
      Timeline timeline, Optional<Double> before, Optional<Double> during, Optional<Double> after) {
    assertEquals(
        Values.builder()
            .put(ArmFigures.PHASE_SECONDS, Phase.BEFORE, before)
            .put(ArmFigures.PHASE_SECONDS, Phase.DURING, during)
            .put(ArmFigures.PHASE_SECONDS, Phase.AFTER, after)
            .build(),
        timeline.phaseSeconds());
  }
}
