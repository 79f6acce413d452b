package io.weir.nrt;

/**
 * How long documents take to become searchable, measured on a sample.
 *
 * <p>A document that was indexed before a reopen began is in the searcher when that reopen has
 * succeeded. One in {@link #period} sequence numbers is sampled, chosen by a hash. Each time the
 * documents that wait fill half, three quarters or all of the capacity, the sampling rate is
 * halved. A reopen that finds less than an eighth of the capacity in use doubles it.
 *
 * <p>The first document after each {@link #mark} is kept too, in the sample or not: of those that
 * the next reopen makes visible, it waits the longest from when it was indexed.
 *
 * <p><b>Threads:</b> any. A sequence number outside the sample costs two volatile reads.
 */
final class Freshness {

  static final int CAPACITY = 128;
  private static final int MAX_SHIFT = 32;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L; // 2^64 over the golden ratio, odd

  private final long[] handedOverNanos =
      new long[CAPACITY]; // a ring; guarded by this, as all below
  private final long[] indexedNanos = new long[CAPACITY]; // likewise
  private final boolean[] sampled = new boolean[CAPACITY]; // likewise
  private long first; // the oldest waiting document
  private long next;
  private long samples;
  private long lost;
  private long lastNanos = Measurement.UNKNOWN_NANOS;
  private long maxNanos = Measurement.UNKNOWN_NANOS;
  private volatile int shift; // written under this
  private volatile boolean firstIsKept; // since the last mark; written under this

  /** Whether the document with that sequence number is in the sample. */
  boolean chooses(long sequenceNumber) {
    int bits = shift;
    return bits == 0 || sequenceNumber * GOLDEN >>> (Long.SIZE - bits) == 0;
  }

  /** Whether no document since the last mark was kept. */
  boolean isFirst() {
    return !firstIsKept;
  }

  /**
   * A document was indexed that is kept.
   *
   * @param isSampled whether it is in the sample
   * @param handedOver when the application had it, not after {@code nowNanos}
   */
  synchronized void indexed(boolean isSampled, long handedOver, long nowNanos) {
    firstIsKept = true;
    if (next - first < CAPACITY) {
      int at = (int) (next % CAPACITY);
      handedOverNanos[at] = handedOver;
      indexedNanos[at] = nowNanos;
      sampled[at] = isSampled;
      next++;
    } else if (isSampled) {
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
    firstIsKept = false;
    return next;
  }

  /**
   * Removes the oldest document below {@code mark}, which {@code reopen} made visible at {@code
   * visibleNanos}, and leaves there how long that took.
   *
   * @return false if there is none
   */
  synchronized boolean poll(long mark, long visibleNanos, Measurement reopen) {
    if (first >= mark) {
      return false;
    }
    int at = (int) (first % CAPACITY);
    first++;
    reopen.waited(handedOverNanos[at], indexedNanos[at], visibleNanos);
    reopen.freshnessNanos = Measurement.UNKNOWN_NANOS;
    if (sampled[at]) {
      lastNanos = visibleNanos - indexedNanos[at];
      maxNanos = Math.max(maxNanos, lastNanos);
      samples++;
      reopen.freshnessNanos = lastNanos;
    }
    return true;
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
