package io.weir.rate;

/**
 * The pacing decision: how many bytes may pass now, and when the next ones may. This is an
 * immutable value and pure arithmetic: it reads no clock and does not wait. Each operation returns
 * a new bucket.
 *
 * <p>Tokens arrive at the rate and accumulate up to the burst; each byte that passes takes one. So
 * in any window of {@code w} seconds at most {@code rate * w + burst} bytes pass, and a thread that
 * wakes late finds the tokens of its oversleep, up to the burst. Bytes that must not wait are
 * debited: the level falls below zero, and the waiting threads pay the debt back, up to {@link
 * #DEBT_LIMIT_SECONDS} of the rate. A larger debt is forgiven, so that a burst of urgent work
 * cannot lock the others out for long.
 *
 * <p><b>Units:</b> time in nanoseconds, and tokens in <em>nano-bytes</em>; 1 byte has 10^9. A rate
 * in bytes per second is then also in nano-bytes per nanosecond, so integer arithmetic is exact and
 * nothing drifts. Levels lie between minus {@link #MAX_DEBT_BYTES} and {@link #MAX_BURST_BYTES} in
 * nano-bytes, -4.3e18 to 1.1e18; the difference of any two fits a {@code long}.
 *
 * @param rate in force; while unlimited no tokens are taken, while paused none arrive
 * @param burstNanos the burst as a time, so that it follows the rate
 * @param burstBytes the burst at this rate
 * @param levelNanoBytes tokens held at {@code accruedAtNanos}; a negative level is debt
 * @param accruedAtNanos the time up to which tokens have been added
 */
record TokenBucket(
    Rate rate, long burstNanos, long burstBytes, long levelNanoBytes, long accruedAtNanos) {

  /** The largest grant under a cap. */
  static final int MAX_GRANT_BYTES = 32 * 1024;

  /** The smallest burst, so that even the lowest rate passes a useful amount at a time. */
  static final long MIN_BURST_BYTES = 4096;

  /** The largest burst, whatever the rate. */
  static final long MAX_BURST_BYTES = 1L << 30;

  /** The debt is at most what the rate gives in this time, and at most {@link #MAX_DEBT_BYTES}. */
  static final int DEBT_LIMIT_SECONDS = 10;

  /** The largest debt, whatever the rate. */
  static final long MAX_DEBT_BYTES = 4L << 30;

  /** An unknown waiting time: the rate is paused. */
  static final long FOREVER = Long.MAX_VALUE;

  private static final long NANO_BYTES_PER_BYTE = 1_000_000_000L;

  /** A full bucket, if the rate is limited: the idle time before the first byte earns the burst. */
  static TokenBucket full(Rate rate, long burstNanos, long nowNanos) {
    long burstBytes = burstBytes(rate.bytesPerSecond(), burstNanos);
    long levelNanoBytes = rate.isLimited() ? burstBytes * NANO_BYTES_PER_BYTE : 0;
    return new TokenBucket(rate, burstNanos, burstBytes, levelNanoBytes, nowNanos);
  }

  /** What the rate gives in {@code burstNanos}, within the smallest and the largest burst. */
  static long burstBytes(long bytesPerSecond, long burstNanos) {
    long bytes =
        Math.multiplyHigh(bytesPerSecond, burstNanos) != 0
            ? MAX_BURST_BYTES
            : Long.divideUnsigned(bytesPerSecond * burstNanos, NANO_BYTES_PER_BYTE);
    return Math.clamp(bytes, MIN_BURST_BYTES, MAX_BURST_BYTES);
  }

  /**
   * The largest grant. Under a cap it is at most half the burst: the other half is room for the
   * tokens that arrive while a thread oversleeps. A thread that waited for a full bucket would lose
   * them.
   */
  long maxGrantBytes() {
    return rate.isLimited() ? Math.min(MAX_GRANT_BYTES, burstBytes / 2) : Long.MAX_VALUE;
  }

  /** Whether {@code bytes} may pass; {@code bytes} is at most {@link #maxGrantBytes}. */
  boolean holds(long bytes, long nowNanos) {
    return switch (rate.state()) {
      case UNLIMITED -> true;
      case PAUSED -> false;
      // Divided, because a request made before the cap was set may be of any size.
      case LIMITED -> Math.floorDiv(levelNanoBytesAt(nowNanos), NANO_BYTES_PER_BYTE) >= bytes;
    };
  }

  /** The bucket after {@code bytes} have passed, whether it held them or not. */
  TokenBucket minus(long bytes, long nowNanos) {
    return minus(bytes, nowNanos, debtLimitBytes());
  }

  /** As {@link #minus(long, long)}; {@link #MAX_DEBT_BYTES} alone limits the debt. */
  TokenBucket owing(long bytes, long nowNanos) {
    return minus(bytes, nowNanos, MAX_DEBT_BYTES);
  }

  private TokenBucket minus(long bytes, long nowNanos, long mostDebtBytes) {
    if (rate.state() == Rate.State.UNLIMITED) {
      return this;
    }
    long level = levelNanoBytesAt(nowNanos);
    long roomNanoBytes = Math.max(0, level + mostDebtBytes * NANO_BYTES_PER_BYTE);
    long newLevel =
        bytes > roomNanoBytes / NANO_BYTES_PER_BYTE
            ? level - roomNanoBytes
            : level - bytes * NANO_BYTES_PER_BYTE;
    return at(newLevel, nowNanos);
  }

  /**
   * The bucket after {@code bytes} are given back because they did not pass. If the rate has been
   * paused since, the bucket keeps them.
   */
  TokenBucket plus(long bytes, long nowNanos) {
    if (rate.state() == Rate.State.UNLIMITED) {
      return this;
    }
    long level = levelNanoBytesAt(nowNanos) + Math.min(bytes, burstBytes) * NANO_BYTES_PER_BYTE;
    return at(Math.min(level, burstBytes * NANO_BYTES_PER_BYTE), nowNanos);
  }

  /** The part of a debit of {@code bytes} that exceeds the debt limit. */
  long forgivenBytes(long bytes, long nowNanos) {
    return rate.state() == Rate.State.UNLIMITED
        ? 0
        : Math.clamp(
            bytes - debtLimitBytes() - levelNanoBytesAt(nowNanos) / NANO_BYTES_PER_BYTE, 0, bytes);
  }

  /** The debt, rounded up to bytes. */
  long debtBytes(long nowNanos) {
    return Math.max(0, Math.ceilDiv(-levelNanoBytesAt(nowNanos), NANO_BYTES_PER_BYTE));
  }

  /**
   * How long from {@code nowNanos} until the bucket holds {@code bytes}: 0 if it does, {@link
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
   * The bucket at another rate from {@code nowNanos} on. It keeps its tokens up to the new burst,
   * and its debt up to the new limit. A pause earns no tokens. An unlimited bucket is empty, and so
   * is the bucket at the next limited rate: any number of bytes may just have passed.
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

  /** The level at {@code nowNanos}. */
  private long levelNanoBytesAt(long nowNanos) {
    long elapsedNanos = nowNanos - accruedAtNanos;
    if (elapsedNanos <= 0 || !rate.isLimited()) {
      return levelNanoBytes;
    }
    long missingNanoBytes = burstBytes * NANO_BYTES_PER_BYTE - levelNanoBytes;
    // Divide first: elapsed * rate may overflow when the bucket fills.
    return elapsedNanos >= Math.ceilDiv(missingNanoBytes, rate.bytesPerSecond())
        ? levelNanoBytes + missingNanoBytes
        : levelNanoBytes + elapsedNanos * rate.bytesPerSecond();
  }

  private TokenBucket at(long newLevelNanoBytes, long nowNanos) {
    return new TokenBucket(rate, burstNanos, burstBytes, newLevelNanoBytes, laterOf(nowNanos));
  }

  /** An earlier time changes nothing: threads race with times that they read a moment before. */
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
