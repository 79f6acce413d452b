package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.SteppedClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.stress.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of the budget stands still, or leaps. Nobody hangs who has a way out. */
@Timeout(60)
class StandingClockTest {

  private static final long BOUND_SECONDS = 20;

  @TempDir private Path temp;

  private final SteppedClock clock = new SteppedClock();
  private final ByteBudget budget =
      new ByteBudget(
          BudgetOptions.named("standing")
              .withRate(Rate.perSecond(1_000_000))
              .withBurst(Duration.ofMillis(1)),
          clock);

  @Test
  void rollback_clockStandsStill_returns() throws Exception {
    try (FaultRig rig = rig()) {
      FutureTask<Void> forced = forcedMergeThatWaits(rig);
      MergeLab.start(rig.writer::rollback).get(BOUND_SECONDS, TimeUnit.SECONDS);
      Await.until("forceMerge returns", forced::isDone);
      budget.setRate(Rate.UNLIMITED);
      rig.checkAfterwards();
    }
  }

  @Test
  void setRate_unlimitedWhileTheClockStandsStill_letsAllGo() throws Exception {
    try (FaultRig rig = rig()) {
      FutureTask<Void> forced = forcedMergeThatWaits(rig);
      budget.setRate(Rate.UNLIMITED);
      forced.get(BOUND_SECONDS, TimeUnit.SECONDS);
      rig.commit();
      rig.writer.close();
      assertEquals(1, rig.scheduler.totals(MergeKind.FORCED).done());
      rig.checkAfterwards();
    }
  }

  /** One leap earns no more than one burst; the merge is carried on by leap after leap. */
  @ParameterizedTest
  @ValueSource(longs = {10_000_000, 365L * 24 * 3600 * 1_000_000_000, Long.MAX_VALUE / 3})
  void clock_leaps_theMergeGoesOn(long leapNanos) throws Exception {
    try (FaultRig rig = rig()) {
      FutureTask<Void> forced = forcedMergeThatWaits(rig);
      long before = budget.snapshot().grantedBytes();
      clock.advanceNanos(leapNanos);
      Await.until("a grant", () -> budget.snapshot().grantedBytes() > before || forced.isDone());
      Await.until(
          "the merge is done",
          () -> {
            // A thread that is not scheduled meanwhile must not miss half of all the time there is.
            clock.advanceNanos(Math.min(leapNanos, 1_000_000_000));
            return forced.isDone();
          });
      forced.get();
      rig.commit();
      rig.writer.close();
      budget.setRate(Rate.UNLIMITED);
      rig.checkAfterwards();
    }
  }

  private FaultRig rig() throws Exception {
    return new FaultRig(temp, (kind, file) -> {}, true, budget, FaultRig.policy());
  }

  private FutureTask<Void> forcedMergeThatWaits(FaultRig rig) throws Exception {
    Rate rate = budget.rate();
    budget.setRate(Rate.UNLIMITED);
    rig.index();
    rig.scheduler.sync();
    budget.setRate(rate);
    FutureTask<Void> forced = MergeLab.forceMerge(rig.writer);
    Await.until("the merge waits", () -> budget.snapshot().waiting() > 0);
    return forced;
  }
}
