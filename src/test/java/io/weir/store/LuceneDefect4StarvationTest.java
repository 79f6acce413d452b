package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import io.weir.fakes.SteppedWriters;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.MergePolicy.OneMergeProgress;
import org.apache.lucene.index.MergeRateLimiter;
import org.apache.lucene.util.ThreadInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * D4: threads of one merge starve each other in Lucene's throttle. Whoever pauses computes its end
 * anew from the last byte that passed, so each grant to another makes it wait its whole time again;
 * one that asks for less, or has luck, goes first for ever.
 */
@Timeout(60)
class LuceneDefect4StarvationTest {

  private static final int KIB = 1 << 10;
  private static final long MILLI = 1_000_000;
  private static final int MOST_OVERTAKES = 8;

  /**
   * While one writer waits for its bytes, another that came later asks for 256 KiB, again and
   * again. In turn it would have to let the first one go before its second grant.
   */
  @ParameterizedTest
  @ValueSource(ints = {256 * KIB, 1024 * KIB})
  void pause_luceneThrottle_whoeverComesLaterIsServedFirstAgainAndAgain(int bytes)
      throws Exception {
    OvertakenProgress progress = new OvertakenProgress();
    MergeRateLimiter limiter = new MergeRateLimiter(progress);
    limiter.setMBPerSec(10);
    limiter.pause(1); // from now on there is a last byte
    progress.limiter = limiter;
    progress.otherBytes = 256 * KIB;
    assertThrows(
        ThreadInterruptedException.class,
        () -> limiter.pause(bytes),
        () -> "Lucene served the first one after " + progress.overtakes + " others");
    assertEquals(MOST_OVERTAKES, progress.overtakes);
  }

  @Test
  void acquire_weirSmallAndLargeWriter_getTheSame() throws Exception {
    List<Long> granted = grantedInOneSecond(256 * KIB, 1024 * KIB);
    assertEquals(0.5, (double) granted.get(0) / (granted.get(0) + granted.get(1)), 0.005);
  }

  @Test
  void acquire_weirEightEqualWriters_getTheSameToOneGrant() throws Exception {
    int[] requests = new int[8];
    Arrays.fill(requests, 256 * KIB);
    List<Long> granted = grantedInOneSecond(requests);
    long spreadBytes = Collections.max(granted) - Collections.min(granted);
    assertTrue(spreadBytes <= 2 * ByteBudget.MAX_GRANT_BYTES, granted.toString());
  }

  /** What each writer gets of 10 MB/s, and that it is all of it. */
  private static List<Long> grantedInOneSecond(int... requestBytes) throws InterruptedException {
    SteppedClock clock = new SteppedClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(10_000_000)), clock);
    try (SteppedWriters writers = new SteppedWriters(clock)) {
      for (int bytes : requestBytes) {
        writers.start(budget, bytes);
      }
      // The burst passes before all are there, and not in turns: only what comes after counts.
      writers.run(0);
      List<Long> before = writers.grantedBytes();
      writers.run(1000 * MILLI);
      List<Long> after = writers.grantedBytes();
      long sum = 0;
      Long[] granted = new Long[requestBytes.length];
      for (int i = 0; i < granted.length; i++) {
        granted[i] = after.get(i) - before.get(i);
        sum += granted[i];
      }
      assertEquals(10_000_000, sum, 2 * ByteBudget.MAX_GRANT_BYTES);
      return List.of(granted);
    }
  }

  /** A merge's place to wait: while one thread is in it, others ask the same limiter. */
  private static final class OvertakenProgress extends OneMergeProgress {
    MergeRateLimiter limiter;
    long otherBytes;
    int overtakes;
    private boolean other;

    @Override
    public void pauseNanos(long nanos, PauseReason reason, BooleanSupplier condition)
        throws InterruptedException {
      if (other) {
        super.pauseNanos(nanos, reason, condition);
        return;
      }
      if (overtakes == MOST_OVERTAKES) {
        throw new InterruptedException("enough was seen");
      }
      other = true;
      try {
        limiter.pause(otherBytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        other = false;
      }
      overtakes++;
    }
  }
}
