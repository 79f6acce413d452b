package io.weir.rate;

/**
 * The pacing decision: how many bytes may pass by now, and when the next ones may. A value: pure
 * arithmetic that reads no clock, waits for nothing and changes nothing; what follows is another
 * bucket.
 *
 * <p>Tokens drip in at the rate and are held up to the burst; a byte that passes takes one. So in
 * any window of {@code w} seconds at most {@code rate * w + burst} bytes pass, and a waiter that
 * woke late finds the tokens of its oversleep waiting, up to the burst. Bytes that must not wait
 * are debited: the level falls below zero and those who may wait pay it back, up to {@link
 * #DEBT_LIMIT_SECONDS} of the rate; a debt beyond that is forgiven, so that no burst of urgent work
 * can lock the others out for long.
 *
 * <p><b>Units:</b> time in nanoseconds, and tokens in <em>nano-bytes</em> (1 byte is 10^9 of them):
 * the rate in bytes per second is then also nano-bytes per nanosecond, so every sum below is exact
 * in integers and nothing drifts. Levels lie between minus {@link #MAX_DEBT_BYTES} and {@link
 * #MAX_BURST_BYTES} in nano-bytes, -4.3e18 to 1.1e18; any difference of two fits a long.
 *
 * @param rate in force; while unlimited nothing is taken, while paused nothing drips in
 * @param burstNanos the burst as a time, so that it follows the rate
 * @param burstBytes the burst at this rate
 * @param levelNanoBytes tokens held at {@code accruedAtNanos}; below zero is debt
 * @param accruedAtNanos up to when the time has been paid out
 */
record TokenBucket(
    Rate rate, long burstNanos, long burstBytes, long levelNanoBytes, long accruedAtNanos) {

  /** The least burst, so that even the slowest rate passes a useful piece at a time. */
  static final long MIN_BURST_BYTES = 4096;

  /** The most burst, whatever the rate. */
  static final long MAX_BURST_BYTES = 1L << 30;

  /** The most that can be owed is what the rate gives in this time, and no more than the next. */
  static final int DEBT_LIMIT_SECONDS = 10;

  /** The most that can be owed, whatever the rate. */
  static final long MAX_DEBT_BYTES = 4L << 30;

  /** The answer to how long, when it is not known: the rate is paused. */
  static final long FOREVER = Long.MAX_VALUE;

  private static final long NANO_BYTES_PER_BYTE = 1_000_000_000L;

  /** A full bucket, if limited: idle time before the first byte has earned the burst. */
  static TokenBucket full(Rate rate, long burstNanos, long nowNanos) {
    long burstBytes = burstBytes(rate.bytesPerSecond(), burstNanos);
    long levelNanoBytes = rate.isLimited() ? burstBytes * NANO_BYTES_PER_BYTE : 0;
    return new TokenBucket(rate, burstNanos, burstBytes, levelNanoBytes, nowNanos);
  }

  /** What drips in within {@code burstNanos}, held between the two bounds of this class. */
  static long burstBytes(long bytesPerSecond, long burstNanos) {
    long bytes =
        Math.multiplyHigh(bytesPerSecond, burstNanos) != 0
            ? MAX_BURST_BYTES
            : Long.divideUnsigned(bytesPerSecond * burstNanos, NANO_BYTES_PER_BYTE);
    return Math.clamp(bytes, MIN_BURST_BYTES, MAX_BURST_BYTES);
  }

  /**
   * The most that one grant gives. Under a cap never more than half the burst: the other half is
   * room for the tokens that arrive while a waiter oversleeps; one that waited for a full bucket
   * would lose them.
   */
  long maxGrantBytes() {
    return rate.isLimited() ? Math.min(ByteBudget.MAX_GRANT_BYTES, burstBytes / 2) : Long.MAX_VALUE;
  }

  /** Whether {@code bytes} may pass; {@code bytes} is at most {@link #maxGrantBytes}. */
  boolean holds(long bytes, long nowNanos) {
    return switch (rate.state()) {
      case UNLIMITED -> true;
      case PAUSED -> false;
      // Divided, because what was asked for before a cap was set may be any amount.
      case LIMITED -> Math.floorDiv(levelNanoBytesAt(nowNanos), NANO_BYTES_PER_BYTE) >= bytes;
    };
  }

  /** The bucket once {@code bytes} have passed, whether it held them or not. */
  TokenBucket minus(long bytes, long nowNanos) {
    if (rate.state() == Rate.State.UNLIMITED) {
      return this;
    }
    long level = levelNanoBytesAt(nowNanos);
    long roomNanoBytes = level + debtLimitBytes() * NANO_BYTES_PER_BYTE;
    long newLevel =
        bytes > roomNanoBytes / NANO_BYTES_PER_BYTE
            ? level - roomNanoBytes
            : level - bytes * NANO_BYTES_PER_BYTE;
    return at(newLevel, nowNanos);
  }

  /**
   * The bucket when {@code bytes} that were taken did not pass after all; a pause that began
   * meanwhile keeps them.
   */
  TokenBucket plus(long bytes, long nowNanos) {
    if (rate.state() == Rate.State.UNLIMITED) {
      return this;
    }
    long level = levelNanoBytesAt(nowNanos) + Math.min(bytes, burstBytes) * NANO_BYTES_PER_BYTE;
    return at(Math.min(level, burstBytes * NANO_BYTES_PER_BYTE), nowNanos);
  }

  /** How much of a debit of {@code bytes} is beyond the limit of debt. */
  long forgivenBytes(long bytes, long nowNanos) {
    return rate.state() == Rate.State.UNLIMITED
        ? 0
        : Math.max(0, bytes - debtLimitBytes() - levelNanoBytesAt(nowNanos) / NANO_BYTES_PER_BYTE);
  }

  /** What is owed, rounded up to bytes. */
  long debtBytes(long nowNanos) {
    return Math.max(0, Math.ceilDiv(-levelNanoBytesAt(nowNanos), NANO_BYTES_PER_BYTE));
  }

  /**
   * How long from {@code nowNanos} until {@link #holds} of {@code bytes}; 0 if it does, {@link
   * #FOREVER} while paused.
   */
  long nanosUntil(long bytes, long nowNanos) {
    return switch (rate.state()) {
      case UNLIMITED -> 0;
      case PAUSED -> FOREVER;
      case LIMITED ->
          Math.max(
              0,
              Math.ceilDiv(
                  bytes * NANO_BYTES_PER_BYTE - levelNanoBytesAt(nowNanos), rate.bytesPerSecond()));
    };
  }

  /**
   * The bucket from {@code nowNanos} on at another rate. Tokens held stay, up to the new burst, and
   * debt, up to the new limit; the time of a pause has earned nothing; unlimited the bucket is
   * empty, and afterwards as well: as many bytes as could be have just passed.
   */
  TokenBucket withRate(Rate newRate, long nowNanos) {
    if (newRate.state() == Rate.State.UNLIMITED) {
      return new TokenBucket(newRate, burstNanos, burstBytes, 0, laterOf(nowNanos));
    }
    long level = levelNanoBytesAt(nowNanos);
    if (newRate.state() == Rate.State.PAUSED) {
      return new TokenBucket(newRate, burstNanos, burstBytes, level, laterOf(nowNanos));
    }
    long newBurstBytes = burstBytes(newRate.bytesPerSecond(), burstNanos);
    long newLevel =
        Math.clamp(
            level,
            -debtLimitBytes(newRate) * NANO_BYTES_PER_BYTE,
            newBurstBytes * NANO_BYTES_PER_BYTE);
    return new TokenBucket(newRate, burstNanos, newBurstBytes, newLevel, laterOf(nowNanos));
  }

  /** What the time up to {@code nowNanos} has filled the bucket to. */
  private long levelNanoBytesAt(long nowNanos) {
    long elapsedNanos = nowNanos - accruedAtNanos;
    if (elapsedNanos <= 0 || !rate.isLimited()) {
      return levelNanoBytes;
    }
    long missingNanoBytes = burstBytes * NANO_BYTES_PER_BYTE - levelNanoBytes;
    // Compared by division first, because elapsed * rate may overflow when the bucket fills.
    return elapsedNanos >= Math.ceilDiv(missingNanoBytes, rate.bytesPerSecond())
        ? levelNanoBytes + missingNanoBytes
        : levelNanoBytes + elapsedNanos * rate.bytesPerSecond();
  }

  private TokenBucket at(long newLevelNanoBytes, long nowNanos) {
    return new TokenBucket(rate, burstNanos, burstBytes, newLevelNanoBytes, laterOf(nowNanos));
  }

  /** A time before the last one changes nothing: threads race with clocks read a moment ago. */
  private long laterOf(long nowNanos) {
    return nowNanos - accruedAtNanos > 0 ? nowNanos : accruedAtNanos;
  }

  private long debtLimitBytes() {
    return debtLimitBytes(rate);
  }

  private static long debtLimitBytes(Rate rate) {
    return rate.isLimited()
        ? Math.min(MAX_DEBT_BYTES, rate.bytesPerSecond() * DEBT_LIMIT_SECONDS)
        : MAX_DEBT_BYTES;
  }
}
