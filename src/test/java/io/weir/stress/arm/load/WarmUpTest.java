package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
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
    Values result = run(6, nanos -> 10 * MILLI + nanos / SECOND % 2);

    assertEquals(6, result.require(ArmFigures.WARM_UP_ASKED));
    assertEquals(6, result.require(ArmFigures.WARM_UP_SECONDS));
    assertEquals(Optional.of(true), result.get(ArmFigures.WARM_UP_STEADY));
    assertEquals(10, result.require(ArmFigures.WARM_UP_EARLIER), 1e-6);
    assertEquals(10, result.require(ArmFigures.WARM_UP_LATER), 1e-6);
  }

  /** They get faster for nine seconds; three later nothing of that can be told any more. */
  @Test
  void await_reopensThatStillGetFaster_goesOnUntilTheyDoNot() {
    Values result =
        run(6, nanos -> Math.max(10 * MILLI, 28 * MILLI - 2 * MILLI * (nanos / SECOND)));

    assertEquals(Optional.of(true), result.get(ArmFigures.WARM_UP_STEADY), result.toString());
    assertEquals(12, result.require(ArmFigures.WARM_UP_SECONDS));
    assertEquals(10, result.require(ArmFigures.WARM_UP_LATER), 1e-6);
  }

  @Test
  void await_reopensThatNeverSettle_endsAfterThreeTimesAndSaysSo() {
    Values result = run(6, nanos -> MILLI + nanos / 1000);

    assertEquals(18, result.require(ArmFigures.WARM_UP_SECONDS));
    assertEquals(Optional.of(false), result.get(ArmFigures.WARM_UP_STEADY));
    assertTrue(
        result.require(ArmFigures.WARM_UP_LATER) > result.require(ArmFigures.WARM_UP_EARLIER),
        result.toString());
    assertTrue(result.require(ArmFigures.WARM_UP_CHANCE) < 0.01, result.toString());
  }

  /** One reopen of a second among those of 10 ms: no reason to go on. */
  @Test
  void await_oneSlowReopen_isSteady() {
    Values result = run(6, nanos -> nanos == 5 * SECOND ? SECOND : 10 * MILLI + nanos % 7);

    assertEquals(6, result.require(ArmFigures.WARM_UP_SECONDS));
    assertEquals(Optional.of(true), result.get(ArmFigures.WARM_UP_STEADY));
  }

  @Test
  void await_tooFewReopens_cannotTellAndEndsAsAsked() {
    Values result = run(3, nanos -> MILLI + nanos);

    assertEquals(3, result.require(ArmFigures.WARM_UP_SECONDS));
    assertEquals(Optional.empty(), result.get(ArmFigures.WARM_UP_STEADY));
    assertEquals(Optional.empty(), result.get(ArmFigures.WARM_UP_CHANCE));
  }

  @Test
  void await_noWarmup_endsAtOnce() {
    Values result = run(0, nanos -> MILLI);

    assertEquals(0, result.require(ArmFigures.WARM_UP_SECONDS));
    assertEquals(Optional.empty(), result.get(ArmFigures.WARM_UP_STEADY));
    assertEquals(Optional.empty(), result.get(ArmFigures.WARM_UP_EARLIER));
  }

  /** The level is what it says: of 2000 steady arms, one in a hundred goes on. */
  @Test
  void await_steadyReopensOfManyArms_goOnAsOftenAsTheLevelSays() {
    Random random = new Random(1);
    int goneOn = 0;
    for (int arm = 0; arm < 2000; arm++) {
      Values result = run(12, nanos -> (long) (10 * MILLI * Math.exp(random.nextGaussian())));
      goneOn += result.require(ArmFigures.WARM_UP_SECONDS) > 12 ? 1 : 0;
    }
    assertTrue(goneOn >= 5 && goneOn <= 40, "of 2000: " + goneOn);
  }

  @Test
  void await_theLoadEndsMeanwhile_isFalse() {
    Timeline timeline = new Timeline(clock, Duration.ofSeconds(6));
    timeline.endAt(-SECOND);
    WarmUp warmUp = new WarmUp(timeline);

    assertFalse(warmUp.await());
    assertEquals(Values.NONE, warmUp.values());
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
  private Values run(int askedSeconds, LongUnaryOperator tookNanos) {
    Timeline timeline = new Timeline(new AutoClock(), Duration.ofSeconds(askedSeconds));
    WarmUp warmUp = new WarmUp(timeline);
    for (long i = 0; i < (long) WarmUp.MOST_TIMES * askedSeconds * REOPENS_A_SECOND; i++) {
      long nanos = i * SECOND / REOPENS_A_SECOND;
      warmUp.add(timeline.firstNanos() + nanos, tookNanos.applyAsLong(nanos));
    }

    assertTrue(warmUp.await());

    assertEquals(timeline.warmupEndNanos(), timeline.nowNanos(), "it was waited for");
    return warmUp.values();
  }
}
