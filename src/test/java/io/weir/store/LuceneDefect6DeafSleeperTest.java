package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.RateLimiter.SimpleRateLimiter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * D6: whoever sleeps in Lucene's {@link SimpleRateLimiter} sleeps to the end, whatever the rate has
 * become meanwhile; and its rate of 0, which reads like a pause, lets everything pass.
 */
@Timeout(60)
class LuceneDefect6DeafSleeperTest {

  private static final long MIB = 1 << 20;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final long HOUR = 3600 * SECOND;

  @Test
  void pause_luceneLimiterRaisedMeanwhile_sleepsToTheEndOfTheOldRate() throws Exception {
    SimpleRateLimiter limiter = new SimpleRateLimiter(3);
    AtomicLong pausedNanos = new AtomicLong();
    Thread sleeper =
        Thread.ofPlatform().start(() -> pausedNanos.set(limiter.pause(3 * MIB))); // for a second
    while (sleeper.isAlive() && sleeper.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    limiter.setMBPerSec(1000); // 3 ms would do now
    sleeper.join();
    // A lower bound: the sleep can only last longer on a busy machine.
    assertTrue(
        pausedNanos.get() >= 900 * MILLI, "Lucene hears a change of rate now: " + pausedNanos);
  }

  @Test
  void acquire_weirRaisedMeanwhile_goesOnAtTheNewRateAtOnce() throws Exception {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(MIB)), clock);
    acquireAll(budget, MIB / 20); // the burst
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread sleeper = start(budget, 3 * MIB, failure);
    clock.awaitParked(sleeper);
    long oldNanos = clock.remainingNanos(sleeper);
    assertTrue(oldNanos > 20 * MILLI, oldNanos + " ns"); // the first grant of 26 KB at 1 MiB/s

    budget.setBytesPerSecond(1000 * MIB);
    while (sleeper.isAlive() && clock.nanoTime() < SECOND) {
      clock.advanceNanos(10_000);
      awaitParkedOrEnded(clock, sleeper);
    }
    assertEquals(null, failure.get());
    assertTrue(clock.nanoTime() <= 4 * MILLI, clock.nanoTime() + " ns"); // 3 MiB at 1000 MiB/s
  }

  @Test
  void pause_luceneLimiterAtZero_letsEverythingPass() {
    SimpleRateLimiter limiter = new SimpleRateLimiter(0);
    assertEquals(0, limiter.pause(1 << 30), "Lucene's rate of 0 is a pause now");
  }

  @Test
  void acquire_weirPaused_letsNothingPassAndZeroIsRefused() throws Exception {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.PAUSED), clock);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread sleeper = start(budget, 1, failure);
    clock.awaitParked(sleeper);
    clock.advanceNanos(HOUR);
    clock.awaitParked(sleeper);
    assertEquals(0, budget.snapshot().grantedBytes());
    assertThrows(IllegalArgumentException.class, () -> budget.setBytesPerSecond(0));
    assertEquals(Rate.PAUSED, budget.rate());

    budget.setRate(Rate.UNLIMITED);
    sleeper.join();
    assertEquals(null, failure.get());
    assertEquals(1, budget.snapshot().grantedBytes());
  }

  private static Thread start(ByteBudget budget, long bytes, AtomicReference<Throwable> failure) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                acquireAll(budget, bytes);
              } catch (Throwable t) {
                failure.set(t);
              }
            });
  }

  private static void acquireAll(ByteBudget budget, long bytes) throws InterruptedException {
    for (long left = bytes; left > 0; ) {
      left -= budget.acquire(left);
    }
  }

  /** Waits until nothing more can happen at this time. */
  private static void awaitParkedOrEnded(SteppedClock clock, Thread thread)
      throws InterruptedException {
    try {
      clock.awaitParked(thread);
    } catch (AssertionError ended) {
      thread.join();
    }
  }
}
