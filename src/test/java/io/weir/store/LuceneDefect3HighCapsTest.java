package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.MergePolicy.OneMergeProgress;
import org.apache.lucene.index.MergeRateLimiter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * D3: Lucene's throttle holds no cap above 500 MiB/s, and stays under the lower ones. It asks at
 * the latest after 1 MiB, skips a pause of up to 2 ms, and starts anew from now whenever it did not
 * pause or paused too long.
 */
class LuceneDefect3HighCapsTest {

  private static final long MIB = 1 << 20;
  private static final long MILLI = 1_000_000;

  @ParameterizedTest
  @ValueSource(doubles = {505, 4000e6 / MIB})
  void pause_luceneThrottleHighCap_neverPauses(double mebibytesPerSecond) throws Exception {
    LateProgress progress = new LateProgress();
    MergeRateLimiter limiter = new MergeRateLimiter(progress);
    limiter.setMBPerSec(mebibytesPerSecond);
    for (int i = 0; i < 1000; i++) { // far faster than any disk, were it limited: no work between
      limiter.pause(limiter.getMinPauseCheckBytes() + 1);
    }
    assertEquals(0, progress.pauses, "Lucene holds caps above 500 MiB/s now");
  }

  /**
   * The control: a lower cap is held. It is a lower bound of time, so a slow machine is welcome.
   */
  @Test
  void pause_luceneThrottleLowCap_isHeld() throws Exception {
    assertTrue(nanosOfTwentyMebibytes(new LateProgress(), 100) >= 19 * 10 * MILLI);
  }

  /** Waiters wake 3 ms late, and the next pause does not make up for it. */
  @Test
  void pause_luceneThrottleWaiterThatOversleeps_losesTheTimeForGood() throws Exception {
    LateProgress progress = new LateProgress();
    progress.lateNanos = 3 * MILLI;
    long elapsedNanos = nanosOfTwentyMebibytes(progress, 100);
    assertTrue(
        elapsedNanos >= 20 * 12 * MILLI,
        "Lucene credits an oversleep now: " + elapsedNanos + " ns");
  }

  @ParameterizedTest
  @ValueSource(longs = {505 * MIB, 4_000_000_000L, Rate.MAX_BYTES_PER_SECOND})
  void acquire_weirHighCap_takesExactlyBytesOverRate(long bytesPerSecond) throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(bytesPerSecond)), clock);
    long burstBytes = bytesPerSecond / 20;
    acquireAll(budget, burstBytes);
    assertEquals(0, clock.nanoTime());
    acquireAll(budget, bytesPerSecond);
    assertEquals(1_000_000_000, clock.nanoTime());
  }

  @Test
  void acquire_weirWaiterThatOversleeps_makesUpForIt() throws Exception {
    AutoClock clock = new AutoClock();
    clock.oversleepNanos = 3 * MILLI;
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(100 * MIB)), clock);
    acquireAll(budget, 5 * MIB); // the burst
    acquireAll(budget, 20 * MIB);
    long lateNanos = clock.nanoTime() - 200 * MILLI;
    assertTrue(0 <= lateNanos && lateNanos <= 3 * MILLI, "late by " + lateNanos + " ns");
  }

  private static long nanosOfTwentyMebibytes(LateProgress progress, double mebibytesPerSecond)
      throws IOException {
    MergeRateLimiter limiter = new MergeRateLimiter(progress);
    limiter.setMBPerSec(mebibytesPerSecond);
    limiter.pause(MIB); // the first one is free
    long startNanos = System.nanoTime();
    for (int i = 0; i < 20; i++) {
      limiter.pause(MIB);
    }
    return System.nanoTime() - startNanos;
  }

  private static void acquireAll(ByteBudget budget, long bytes) throws InterruptedException {
    for (long left = bytes; left > 0; ) {
      left -= budget.acquire(left);
    }
  }

  /** A merge's place to wait, which wakes too late. */
  private static final class LateProgress extends OneMergeProgress {
    long lateNanos;
    int pauses;

    @Override
    public void pauseNanos(long nanos, PauseReason reason, BooleanSupplier condition)
        throws InterruptedException {
      pauses++;
      super.pauseNanos(nanos + lateNanos, reason, condition);
    }
  }
}
