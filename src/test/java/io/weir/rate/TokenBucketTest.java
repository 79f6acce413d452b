package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class TokenBucketTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long BURST_NANOS = 50_000_000;

  @Example
  void minus_emptyBucket_refusesUntilTheExactNanosecond() {
    Held bucket = drained(10_000_000);
    // 1000 bytes at 10 MB/s drip in within 100 microseconds.
    assertEquals(100_000, bucket.nanosUntil(1000, 0));
    assertFalse(bucket.tryTake(1000, 99_999));
    assertTrue(bucket.tryTake(1000, 100_000));
    assertFalse(bucket.tryTake(1, 100_000));
  }

  @Example
  void nanosUntil_rateThatDoesNotDivide_roundsUpAndKeepsTheRemainder() {
    Held bucket = drained(3);
    assertEquals(333_333_334, bucket.nanosUntil(1, 0));
    assertTrue(bucket.tryTake(1, 333_333_334));
    // What the round-up gave too much is kept: three bytes take one second exactly.
    assertEquals(666_666_667 - 333_333_334, bucket.nanosUntil(1, 333_333_334));
    assertTrue(bucket.tryTake(1, 666_666_667));
    assertFalse(bucket.tryTake(1, SECOND - 1));
    assertTrue(bucket.tryTake(1, SECOND));
  }

  @Example
  void burstBytes_extremes_staysWithinItsBounds() {
    assertEquals(TokenBucket.MIN_BURST_BYTES, TokenBucket.burstBytes(1, BURST_NANOS));
    assertEquals(500_000, TokenBucket.burstBytes(10_000_000, BURST_NANOS));
    assertEquals(
        TokenBucket.MAX_BURST_BYTES, TokenBucket.burstBytes(Rate.MAX_BYTES_PER_SECOND, SECOND));
    assertEquals(
        TokenBucket.MAX_BURST_BYTES, TokenBucket.burstBytes(Rate.MAX_BYTES_PER_SECOND, 65_000_000));
  }

  @Example
  void holds_centuryOfIdleAtTheHighestRate_fillsTheBucketWithoutOverflow() {
    Held bucket = drained(Rate.MAX_BYTES_PER_SECOND);
    long centuryNanos = 100L * 365 * 24 * 3600 * SECOND;
    long burst = TokenBucket.burstBytes(Rate.MAX_BYTES_PER_SECOND, BURST_NANOS);
    assertTrue(bucket.tryTake(burst, centuryNanos));
    assertFalse(bucket.tryTake(1, centuryNanos));
  }

  @Example
  void withRate_midway_earnsEachPartAtItsOwnRate() {
    Held bucket = drained(1000);
    bucket.setRate(Rate.perSecond(5000), SECOND / 2);
    // 500 bytes from the first half second, 1500 more take 0.3 s at 5000 bytes/s.
    assertEquals(300_000_000, bucket.nanosUntil(2000, SECOND / 2));
  }

  @Example
  void withRate_toASmallerBurst_keepsNoMoreThanThatBurst() {
    Held bucket = full(100_000_000);
    bucket.setRate(Rate.perSecond(1_000_000), 0);
    assertTrue(bucket.tryTake(50_000, 0));
    assertFalse(bucket.tryTake(1, 0));
  }

  @Example
  void withRate_afterAPause_timeOfThePauseHasEarnedNothing() {
    Held bucket = drained(1000);
    bucket.setRate(Rate.PAUSED, 0);
    assertFalse(bucket.tryTake(1, 5 * SECOND));
    assertEquals(TokenBucket.FOREVER, bucket.nanosUntil(1, 5 * SECOND));
    bucket.setRate(Rate.perSecond(1000), 10 * SECOND);
    assertFalse(bucket.tryTake(1, 10 * SECOND));
    assertTrue(bucket.tryTake(1, 10 * SECOND + 1_000_000));
  }

  @Example
  void minus_moreThanIsHeld_isOwedToTheExactNanosecond() {
    Held bucket = full(10_000_000); // 500 kB of burst
    bucket.now = bucket.now.minus(1_500_000, 0);
    assertEquals(1_000_000, bucket.now.debtBytes(0));
    assertEquals(100_000_000, bucket.nanosUntil(0, 0)); // the debt
    assertEquals(100_000_100, bucket.nanosUntil(1, 0));
    assertEquals(1, bucket.now.debtBytes(99_999_999));
    assertEquals(0, bucket.now.debtBytes(100_000_000));
  }

  @Example
  void minus_beyondTheLimitOfDebt_isForgiven() {
    Held bucket = drained(1_000_000);
    assertEquals(0, bucket.now.forgivenBytes(10_000_000, 0));
    assertEquals(7, bucket.now.forgivenBytes(10_000_007, 0));
    bucket.now = bucket.now.minus(10_000_007, 0);
    assertEquals(10_000_000, bucket.now.debtBytes(0));
    bucket.now = bucket.now.minus(Long.MAX_VALUE, 0);
    assertEquals(10_000_000, bucket.now.debtBytes(0));
    assertEquals(Long.MAX_VALUE, bucket.now.forgivenBytes(Long.MAX_VALUE, 0));
  }

  @Example
  void minus_highestRateAndDeepestDebt_doesNotOverflow() {
    Held bucket = full(Rate.MAX_BYTES_PER_SECOND);
    bucket.now = bucket.now.minus(Long.MAX_VALUE, 0);
    assertEquals(TokenBucket.MAX_DEBT_BYTES, bucket.now.debtBytes(0));
    assertEquals(250_000_000, bucket.nanosUntil(0, 0)); // 4 GiB at 16 GiB/s
    Held slow = full(1);
    slow.now = slow.now.minus(Long.MAX_VALUE, 0);
    assertEquals(10, slow.now.debtBytes(0));
  }

  @Example
  void withRate_toALowerOneWithDebt_owesNoMoreThanItsLimit() {
    Held bucket = drained(100_000_000);
    bucket.now = bucket.now.minus(500_000_000, 0);
    bucket.setRate(Rate.perSecond(1_000_000), 0);
    assertEquals(10_000_000, bucket.now.debtBytes(0));
  }

  @Example
  void minus_whilePaused_isOwedAfterwards() {
    Held bucket = drained(1000);
    bucket.setRate(Rate.PAUSED, 0);
    bucket.now = bucket.now.minus(500, SECOND);
    bucket.setRate(Rate.perSecond(1000), 2 * SECOND);
    assertEquals(SECOND, bucket.nanosUntil(500, 2 * SECOND));
  }

  @Example
  void plus_whatWasTaken_isHeldAgainUpToTheBurst() {
    Held bucket = full(1_000_000);
    TokenBucket before = bucket.now;
    bucket.now = bucket.now.minus(1000, 0).plus(1000, 0);
    assertEquals(before, bucket.now);
    assertEquals(before, bucket.now.plus(1000, 0));
  }

  /** A grant that found nothing at the parent gave its bytes back to a child just paused: lost. */
  @Example
  void plus_whilePaused_isHeldAfterwards() {
    Held bucket = full(1_000_000);
    bucket.now = bucket.now.minus(1000, 0);
    bucket.setRate(Rate.PAUSED, 0);
    bucket.now = bucket.now.plus(1000, 0);
    bucket.setRate(Rate.perSecond(1_000_000), 0);
    assertTrue(bucket.tryTake(50_000, 0));
  }

  @Example
  void minus_timeThatGoesBack_earnsNothingTwice() {
    Held bucket = drained(1000);
    bucket.now = bucket.now.minus(0, SECOND);
    bucket.now = bucket.now.minus(0, SECOND / 2); // a clock read a moment before
    assertEquals(1000, 4096 - missing(bucket, SECOND));
  }

  /** The clock was read before the thread that holds the bucket now read it. */
  @Example
  void withRate_timeThatGoesBack_earnsNothingTwice() {
    Held bucket = drained(1000);
    bucket.now = bucket.now.minus(0, SECOND);
    bucket.setRate(Rate.perSecond(1001), SECOND / 2);
    assertEquals(1000, 4096 - missing(bucket, SECOND));
  }

  /** What was asked for while unlimited may meet a cap that was set meanwhile. */
  @Example
  void holds_anyAmount_doesNotOverflow() {
    assertFalse(full(1000).now.holds(Long.MAX_VALUE, 0));
    assertFalse(full(1000).now.holds(18_446_744_074L, 0)); // just over 2^64 nano-bytes
    assertFalse(drained(1000).now.minus(1, 0).holds(0, 0));
    TokenBucket back = drained(1000).now.plus(Long.MAX_VALUE, 0);
    assertTrue(back.holds(4096, 0));
    assertFalse(back.holds(4097, 0));
  }

  @Example
  void minus_exactlyUpToTheLimitOfDebt_takesNoFractionMore() {
    Held bucket = drained(3);
    bucket.now = bucket.now.minus(30, 100_000_000); // 0.3 bytes have come
    assertEquals(29_700_000_000L, -bucket.now.levelNanoBytes());
  }

  @Example
  void withRate_toUnlimited_owesNothing() {
    Held bucket = drained(1000);
    bucket.now = bucket.now.minus(500, 0);
    bucket.setRate(Rate.UNLIMITED, 0);
    assertEquals(0, bucket.now.debtBytes(0));
  }

  private static long missing(Held bucket, long nowNanos) {
    long bytes = 0;
    while (bucket.tryTake(1, nowNanos)) {
      bytes++;
    }
    return 4096 - bytes;
  }

  /** In any window at most rate x window + burst, whatever is asked and whenever. */
  @Property(tries = 400)
  void minus_anyRequests_neverPassesMoreThanRateTimesWindowPlusBurst(
      @ForAll @LongRange(min = 1, max = Rate.MAX_BYTES_PER_SECOND) long bytesPerSecond,
      @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 0, max = 300_000_000) Integer> gaps,
      @ForAll @IntRange(min = 1, max = 4096) int requestBytes) {
    Held bucket = full(bytesPerSecond);
    long burst = TokenBucket.burstBytes(bytesPerSecond, BURST_NANOS);
    List<long[]> passes = new ArrayList<>(); // at one time all together: no window parts them
    long now = 0;
    int requests = 0;
    for (int gap : gaps) {
      now += gap;
      long bytes = 0;
      for (; requests < 2000 && bucket.tryTake(requestBytes, now); requests++) {
        bytes += requestBytes;
      }
      passes.add(new long[] {now, bytes});
    }
    for (int from = 0; from < passes.size(); from++) {
      long bytes = 0;
      for (int to = from; to < passes.size(); to++) {
        bytes += passes.get(to)[1];
        long windowNanos = passes.get(to)[0] - passes.get(from)[0];
        BigInteger allowed =
            BigInteger.valueOf(bytesPerSecond)
                .multiply(BigInteger.valueOf(windowNanos))
                .divide(BigInteger.valueOf(SECOND))
                .add(BigInteger.valueOf(burst));
        assertTrue(BigInteger.valueOf(bytes).compareTo(allowed) <= 0);
      }
    }
  }

  /** A waiter that always waits exactly as told passes every byte of the rate: no drift. */
  @Property(tries = 200)
  void nanosUntil_waitedExactly_usesTheWholeRate(
      @ForAll @LongRange(min = 1, max = Rate.MAX_BYTES_PER_SECOND) long bytesPerSecond,
      @ForAll @IntRange(min = 1, max = 2048) int requestBytes) {
    Held bucket = drained(bytesPerSecond);
    long now = 0;
    int requests = 1000;
    for (int i = 0; i < requests; i++) {
      now += bucket.nanosUntil(requestBytes, now);
      assertTrue(bucket.tryTake(requestBytes, now));
    }
    BigInteger bytes = BigInteger.valueOf((long) requests * requestBytes);
    BigInteger[] exact =
        bytes
            .multiply(BigInteger.valueOf(SECOND))
            .divideAndRemainder(BigInteger.valueOf(bytesPerSecond));
    long exactNanos = exact[0].longValueExact() + (exact[1].signum() == 0 ? 0 : 1);
    assertEquals(exactNanos, now);
  }

  private static Held drained(long bytesPerSecond) {
    // After unlimited a bucket is empty.
    TokenBucket unlimited = TokenBucket.full(Rate.UNLIMITED, BURST_NANOS, 0);
    return new Held(unlimited.withRate(Rate.perSecond(bytesPerSecond), 0));
  }

  private static Held full(long bytesPerSecond) {
    return new Held(TokenBucket.full(Rate.perSecond(bytesPerSecond), BURST_NANOS, 0));
  }

  /** Holds the bucket as it is now. */
  private static final class Held {

    TokenBucket now;

    Held(TokenBucket bucket) {
      now = bucket;
    }

    boolean tryTake(long bytes, long nowNanos) {
      boolean holds = now.holds(bytes, nowNanos);
      if (holds) {
        now = now.minus(bytes, nowNanos);
      }
      return holds;
    }

    long nanosUntil(long bytes, long nowNanos) {
      return now.nanosUntil(bytes, nowNanos);
    }

    void setRate(Rate rate, long nowNanos) {
      now = now.withRate(rate, nowNanos);
    }
  }
}
