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
  void tryTake_emptyBucket_refusesUntilTheExactNanosecond() {
    TokenBucket bucket = drained(10_000_000);
    // 1000 bytes at 10 MB/s drip in within 100 microseconds.
    assertEquals(100_000, bucket.nanosUntil(1000, 0));
    assertFalse(bucket.tryTake(1000, 99_999));
    assertTrue(bucket.tryTake(1000, 100_000));
    assertFalse(bucket.tryTake(1, 100_000));
  }

  @Example
  void nanosUntil_rateThatDoesNotDivide_roundsUpAndKeepsTheRemainder() {
    TokenBucket bucket = drained(3);
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
  void accrue_centuryOfIdleAtTheHighestRate_fillsTheBucketWithoutOverflow() {
    TokenBucket bucket = drained(Rate.MAX_BYTES_PER_SECOND);
    long centuryNanos = 100L * 365 * 24 * 3600 * SECOND;
    long burst = TokenBucket.burstBytes(Rate.MAX_BYTES_PER_SECOND, BURST_NANOS);
    assertTrue(bucket.tryTake(burst, centuryNanos));
    assertFalse(bucket.tryTake(1, centuryNanos));
  }

  @Example
  void setBytesPerSecond_midway_earnsEachPartAtItsOwnRate() {
    TokenBucket bucket = drained(1000);
    bucket.setBytesPerSecond(5000, SECOND / 2);
    // 500 bytes from the first half second, 1500 more take 0.3 s at 5000 bytes/s.
    assertEquals(300_000_000, bucket.nanosUntil(2000, SECOND / 2));
  }

  @Example
  void setBytesPerSecond_toASmallerBurst_keepsNoMoreThanThatBurst() {
    TokenBucket bucket = new TokenBucket(100_000_000, BURST_NANOS, 0);
    bucket.setBytesPerSecond(1_000_000, 0);
    assertTrue(bucket.tryTake(50_000, 0));
    assertFalse(bucket.tryTake(1, 0));
  }

  @Example
  void skipTo_timeThatEarnsNothing_addsNoToken() {
    TokenBucket bucket = drained(1000);
    bucket.skipTo(10 * SECOND);
    assertFalse(bucket.tryTake(1, 10 * SECOND));
    assertTrue(bucket.tryTake(1, 10 * SECOND + 1_000_000));
  }

  /** In any window at most rate x window + burst, whatever is asked and whenever. */
  @Property(tries = 400)
  void tryTake_anyRequests_neverPassesMoreThanRateTimesWindowPlusBurst(
      @ForAll @LongRange(min = 1, max = Rate.MAX_BYTES_PER_SECOND) long bytesPerSecond,
      @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 0, max = 300_000_000) Integer> gaps,
      @ForAll @IntRange(min = 1, max = 4096) int requestBytes) {
    TokenBucket bucket = new TokenBucket(bytesPerSecond, BURST_NANOS, 0);
    long burst = TokenBucket.burstBytes(bytesPerSecond, BURST_NANOS);
    List<long[]> passes = new ArrayList<>();
    long now = 0;
    for (int gap : gaps) {
      now += gap;
      while (passes.size() < 2000 && bucket.tryTake(requestBytes, now)) {
        passes.add(new long[] {now, requestBytes});
      }
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
    TokenBucket bucket = drained(bytesPerSecond);
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

  private static TokenBucket drained(long bytesPerSecond) {
    TokenBucket bucket = new TokenBucket(bytesPerSecond, BURST_NANOS, 0);
    bucket.drain(0);
    return bucket;
  }
}
