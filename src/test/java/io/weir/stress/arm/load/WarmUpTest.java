package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.Phase;
import io.weir.stress.result.WarmUpResult;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** What reopens take, each test lays down as a function of when they began, for all of the time. */
class WarmUpTest {

  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;
  private static final int REOPENS_A_SECOND = 4;

  private final AutoClock clock = new AutoClock();

  @Test
  void await_steadyReopens_endsAsAsked() {
    WarmUpResult result = run(6, nanos -> 10 * MILLI + nanos / SECOND % 2);

    assertEquals(6, result.askedSeconds());
    assertEquals(6, result.seconds());
    assertEquals(Optional.of(true), result.steady());
    assertEquals(10, result.earlierMillis().orElseThrow(), 1e-6);
    assertEquals(10, result.laterMillis().orElseThrow(), 1e-6);
  }

  /** They get faster for nine seconds; three later nothing of that can be told any more. */
  @Test
  void await_reopensThatStillGetFaster_goesOnUntilTheyDoNot() {
    WarmUpResult result =
        run(6, nanos -> Math.max(10 * MILLI, 28 * MILLI - 2 * MILLI * (nanos / SECOND)));

    assertEquals(Optional.of(true), result.steady(), result.toString());
    assertEquals(12, result.seconds());
    assertEquals(10, result.laterMillis().orElseThrow(), 1e-6);
  }

  @Test
  void await_reopensThatNeverSettle_endsAfterThreeTimesAndSaysSo() {
    WarmUpResult result = run(6, nanos -> MILLI + nanos / 1000);

    assertEquals(18, result.seconds());
    assertEquals(Optional.of(false), result.steady());
    assertTrue(
        result.laterMillis().orElseThrow() > result.earlierMillis().orElseThrow(),
        result.toString());
    assertTrue(result.chance().orElseThrow() < 0.01, result.toString());
  }

  /** One reopen of a second among those of 10 ms: no reason to go on. */
  @Test
  void await_oneSlowReopen_isSteady() {
    WarmUpResult result = run(6, nanos -> nanos == 5 * SECOND ? SECOND : 10 * MILLI + nanos % 7);

    assertEquals(6, result.seconds());
    assertEquals(Optional.of(true), result.steady());
  }

  @Test
  void await_tooFewReopens_cannotTellAndEndsAsAsked() {
    WarmUpResult result = run(3, nanos -> MILLI + nanos);

    assertEquals(3, result.seconds());
    assertEquals(Optional.empty(), result.steady());
    assertEquals(Optional.empty(), result.chance());
  }

  @Test
  void await_noWarmup_endsAtOnce() {
    WarmUpResult result = run(0, nanos -> MILLI);

    assertEquals(0, result.seconds());
    assertEquals(Optional.empty(), result.steady());
    assertEquals(Optional.empty(), result.earlierMillis());
  }

  /** The level is what it says: of 2000 steady arms, one in a hundred goes on. */
  @Test
  void await_steadyReopensOfManyArms_goOnAsOftenAsTheLevelSays() {
    Random random = new Random(1);
    int goneOn = 0;
    for (int arm = 0; arm < 2000; arm++) {
      WarmUpResult result = run(12, nanos -> (long) (10 * MILLI * Math.exp(random.nextGaussian())));
      goneOn += result.seconds() > 12 ? 1 : 0;
    }
    assertTrue(goneOn >= 5 && goneOn <= 40, "of 2000: " + goneOn);
  }

  @Test
  void await_theLoadEndsMeanwhile_isFalse() {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(6));
    timeline.endAt(-SECOND);
    WarmUp warmUp = new WarmUp(timeline);

    assertFalse(warmUp.await());
    assertEquals(Optional.empty(), warmUp.result());
  }

  @Test
  void watching_aReopenOfTheWarmup_runsItAndBelongsToTheWarmup() throws Exception {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(1));
    WarmUp warmUp = new WarmUp(timeline);
    boolean[] ran = {false};

    warmUp
        .watching(
            (due, started) -> {
              ran[0] = true;
              clock.advanceNanos(3 * MILLI);
            })
        .run(-SECOND, -SECOND);

    assertTrue(ran[0]);
    assertEquals(Phase.WARMUP, timeline.phaseOf(-SECOND));
  }

  /**
   * @param tookNanos what a reopen took that began so long after the load
   */
  private WarmUpResult run(int askedSeconds, LongUnaryOperator tookNanos) {
    Timeline timeline = new Timeline(new AutoClock(), Duration.ofSeconds(askedSeconds));
    WarmUp warmUp = new WarmUp(timeline);
    for (long i = 0; i < (long) WarmUp.MOST_TIMES * askedSeconds * REOPENS_A_SECOND; i++) {
      long nanos = i * SECOND / REOPENS_A_SECOND;
      warmUp.add(timeline.firstNanos() + nanos, tookNanos.applyAsLong(nanos));
    }

    assertTrue(warmUp.await());

    assertEquals(timeline.warmupEndNanos(), timeline.nowNanos(), "it was waited for");
    return warmUp.result().orElseThrow();
  }
}
