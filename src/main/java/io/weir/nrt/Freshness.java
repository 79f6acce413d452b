package io.weir.nrt;

/**
 * How long documents take to become searchable, measured on a sample.
 *
 * <p>A document that was indexed before a reopen began is in the searcher when that reopen has
 * succeeded. One in {@link #period} sequence numbers is sampled, chosen by a hash. Each time the
 * documents that wait fill half, three quarters or all of the capacity, the sampling rate is
 * halved. A reopen that finds less than an eighth of the capacity in use doubles it.
 *
 * <p><b>Threads:</b> any. A sequence number outside the sample costs one volatile read.
 */
final class Freshness {

  static final int CAPACITY = 128;
  private static final int MAX_SHIFT = 32;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L; // 2^64 over the golden ratio, odd

  private final long[] indexedNanos = new long[CAPACITY]; // a ring; guarded by this, as all below
  private long first; // the oldest waiting document
  private long next;
  private long samples;
  private long lost;
  private long lastNanos = Measurement.UNKNOWN_NANOS;
  private long maxNanos = Measurement.UNKNOWN_NANOS;
  private volatile int shift; // written under this

  /** Whether the document with that sequence number is in the sample. */
  boolean chooses(long sequenceNumber) {
    int bits = shift;
    return bits == 0 || sequenceNumber * GOLDEN >>> (Long.SIZE - bits) == 0;
  }

  /** A document of the sample was indexed. */
  synchronized void indexed(long nowNanos) {
    if (next - first < CAPACITY) {
      indexedNanos[(int) (next % CAPACITY)] = nowNanos;
      next++;
    } else {
      lost++;
    }
    long waiting = next - first;
    if (waiting == CAPACITY / 2 || waiting == CAPACITY / 4 * 3 || waiting == CAPACITY) {
      shift = Math.min(shift + 1, MAX_SHIFT);
    }
  }

  /** A number above those of all documents so far. */
  synchronized long mark() {
    if (next - first < CAPACITY / 8) {
      shift = Math.max(shift - 1, 0);
    }
    return next;
  }

  /**
   * Removes the oldest document below {@code mark}, which became visible at {@code visibleNanos}.
   * Returns how long that took, or {@link Measurement#UNKNOWN_NANOS} if there is none.
   */
  synchronized long poll(long mark, long visibleNanos) {
    if (first >= mark) {
      return Measurement.UNKNOWN_NANOS;
    }
    lastNanos = visibleNanos - indexedNanos[(int) (first % CAPACITY)];
    maxNanos = Math.max(maxNanos, lastNanos);
    first++;
    samples++;
    return lastNanos;
  }

  /** One document in this many is sampled. */
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
