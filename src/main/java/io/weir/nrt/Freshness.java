package io.weir.nrt;

/**
 * How long documents take to become searchable, by a sample.
 *
 * <p>A document that was told before a reopen began to look at the index is in the searcher when
 * that reopen has ended well. Of all sequence numbers, one in {@link #period} is looked at, chosen
 * by a hash. When so many wait that half, three quarters or all of the room is taken, they become
 * half as many; a reopen that finds less than an eighth of it taken makes them twice as many.
 *
 * <p><b>Threads:</b> any. A number that is not chosen costs one volatile read.
 */
final class Freshness {

  static final int CAPACITY = 128;
  private static final int MAX_SHIFT = 32;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L; // 2^64 over the golden ratio, odd

  private final long[] toldNanos = new long[CAPACITY]; // guarded by this, as all below; a ring
  private long first; // the oldest that waits
  private long next;
  private long samples;
  private long lost;
  private long lastNanos = Measurement.UNKNOWN_NANOS;
  private long maxNanos = Measurement.UNKNOWN_NANOS;
  private volatile int shift; // written under this

  /** Whether a document of that number is in the sample. */
  boolean chooses(long sequenceNumber) {
    int bits = shift;
    return bits == 0 || sequenceNumber * GOLDEN >>> (Long.SIZE - bits) == 0;
  }

  synchronized void told(long nowNanos) {
    if (next - first < CAPACITY) {
      toldNanos[(int) (next % CAPACITY)] = nowNanos;
      next++;
    } else {
      lost++;
    }
    long waiting = next - first;
    if (waiting == CAPACITY / 2 || waiting == CAPACITY / 4 * 3 || waiting == CAPACITY) {
      shift = Math.min(shift + 1, MAX_SHIFT);
    }
  }

  /** All that were told until now have lower numbers. */
  synchronized long mark() {
    if (next - first < CAPACITY / 8) {
      shift = Math.max(shift - 1, 0);
    }
    return next;
  }

  /**
   * Takes the oldest one below {@code mark}, which became visible at {@code visibleNanos}; returns
   * how long it took, or {@link Measurement#UNKNOWN_NANOS} if there is none.
   */
  synchronized long poll(long mark, long visibleNanos) {
    if (first >= mark) {
      return Measurement.UNKNOWN_NANOS;
    }
    lastNanos = visibleNanos - toldNanos[(int) (first % CAPACITY)];
    maxNanos = Math.max(maxNanos, lastNanos);
    first++;
    samples++;
    return lastNanos;
  }

  /** One document in so many is looked at. */
  long period() {
    return 1L << shift;
  }

  synchronized long samples() {
    return samples;
  }

  synchronized long lost() {
    return lost;
  }

  synchronized long lastNanos() {
    return lastNanos;
  }

  synchronized long maxNanos() {
    return maxNanos;
  }
}
