package io.weir.rate;

/**
 * The pacing decision: how many bytes may pass by now, and when the next ones may. Pure arithmetic;
 * it reads no clock, waits for nothing and locks nothing.
 *
 * <p>Tokens drip in at the rate and are held up to the burst; a byte that passes takes one. So in
 * any window of {@code w} seconds at most {@code rate * w + burst} bytes pass, and a waiter that
 * woke late finds the tokens of its oversleep waiting, up to the burst.
 *
 * <p><b>Units:</b> time in nanoseconds, and tokens in <em>nano-bytes</em> (1 byte is 10^9 of them):
 * the rate in bytes per second is then also nano-bytes per nanosecond, so every sum below is exact
 * in integers and nothing drifts. The largest number that arises is {@link #MAX_BURST_BYTES} in
 * nano-bytes, about 1.1e18, well inside a long.
 *
 * <p><b>Threads:</b> none of its own; {@link ByteBudget} guards it with its lock.
 */
final class TokenBucket {

  /** The least burst, so that even the slowest rate passes a useful piece at a time. */
  static final long MIN_BURST_BYTES = 4096;

  /** The most burst, whatever the rate. */
  static final long MAX_BURST_BYTES = 1L << 30;

  private static final long NANO_BYTES_PER_BYTE = 1_000_000_000L;

  private final long burstNanos;

  private long bytesPerSecond;
  private long burstBytes;
  private long levelNanoBytes;
  private long accruedAtNanos;

  /** A full bucket: idle time before the first byte has earned the burst. */
  TokenBucket(long bytesPerSecond, long burstNanos, long nowNanos) {
    this.burstNanos = burstNanos;
    this.bytesPerSecond = bytesPerSecond;
    this.burstBytes = burstBytes(bytesPerSecond, burstNanos);
    this.levelNanoBytes = burstBytes * NANO_BYTES_PER_BYTE;
    this.accruedAtNanos = nowNanos;
  }

  /** What drips in within {@code burstNanos}, held between the two bounds of this class. */
  static long burstBytes(long bytesPerSecond, long burstNanos) {
    long bytes =
        Math.multiplyHigh(bytesPerSecond, burstNanos) != 0
            ? MAX_BURST_BYTES
            : Long.divideUnsigned(bytesPerSecond * burstNanos, NANO_BYTES_PER_BYTE);
    return Math.clamp(bytes, MIN_BURST_BYTES, MAX_BURST_BYTES);
  }

  long burstBytes() {
    return burstBytes;
  }

  /** Takes {@code bytes} tokens if all are there; {@code bytes} is at most {@link #burstBytes}. */
  boolean tryTake(long bytes, long nowNanos) {
    accrue(nowNanos);
    long neededNanoBytes = bytes * NANO_BYTES_PER_BYTE;
    if (levelNanoBytes < neededNanoBytes) {
      return false;
    }
    levelNanoBytes -= neededNanoBytes;
    return true;
  }

  /**
   * How long from {@code nowNanos} until {@link #tryTake} of {@code bytes} succeeds; 0 if it would.
   */
  long nanosUntil(long bytes, long nowNanos) {
    accrue(nowNanos);
    return Math.max(0, Math.ceilDiv(bytes * NANO_BYTES_PER_BYTE - levelNanoBytes, bytesPerSecond));
  }

  /**
   * From {@code nowNanos} on tokens drip in at another rate; those held stay, up to the new burst.
   */
  void setBytesPerSecond(long newBytesPerSecond, long nowNanos) {
    accrue(nowNanos);
    bytesPerSecond = newBytesPerSecond;
    burstBytes = burstBytes(newBytesPerSecond, burstNanos);
    levelNanoBytes = Math.min(levelNanoBytes, burstBytes * NANO_BYTES_PER_BYTE);
  }

  /** Earns what the time up to {@code nowNanos} is worth. */
  void accrue(long nowNanos) {
    long elapsedNanos = nowNanos - accruedAtNanos;
    if (elapsedNanos <= 0) {
      return;
    }
    accruedAtNanos = nowNanos;
    long missingNanoBytes = burstBytes * NANO_BYTES_PER_BYTE - levelNanoBytes;
    // Compared by division first, because elapsed * rate may overflow when the bucket fills.
    if (elapsedNanos >= Math.ceilDiv(missingNanoBytes, bytesPerSecond)) {
      levelNanoBytes += missingNanoBytes;
    } else {
      levelNanoBytes += elapsedNanos * bytesPerSecond;
    }
  }

  /** Time up to {@code nowNanos} earns nothing: no byte could pass in it. */
  void skipTo(long nowNanos) {
    accruedAtNanos = nowNanos;
  }

  /** Drops the tokens: as many bytes as could be have just passed. */
  void drain(long nowNanos) {
    levelNanoBytes = 0;
    accruedAtNanos = nowNanos;
  }
}
