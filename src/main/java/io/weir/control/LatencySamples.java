package io.weir.control;

/**
 * The operations of one kind that ended in a short time, and the one that has run longest. {@link
 * Latencies} counts them.
 *
 * @param count operations that ended
 * @param misses those that took longer than the limit
 * @param near those that took longer than half of the limit, misses included
 * @param low those that took at most {@link #LOW} of the limit
 * @param maxNanos the longest; 0 if none ended
 * @param runningNanos for how long an operation has been running; 0 if none runs
 * @param buckets the number in each of {@link LatencyBuckets}
 * @param formerMisses operations that ended as well and took longer than the limit, but began
 *     before the last cut took effect; they are in no other figure
 */
record LatencySamples(
    long count,
    long misses,
    long near,
    long low,
    long maxNanos,
    long runningNanos,
    int[] buckets,
    long formerMisses) {

  /** An operation that runs for longer than this multiple of the limit shows a miss by itself. */
  static final int SEVERE = 4;

  /** A sample up to this fraction of the limit shows that there is plenty of room. */
  static final double LOW = 0.2;

  // Records compare arrays by identity; nothing compares these.
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  /**
   * The buckets of a histogram of latencies: eight for each power of two, so a bucket is at most
   * one eighth wider than its lower bound.
   *
   * <p><b>Units:</b> nanoseconds.
   */
  static final class LatencyBuckets {

    private static final int SUB_BITS = 3;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;

    /** The number of buckets. */
    static final int COUNT = (Long.SIZE - SUB_BITS) * SUB_BUCKETS;

    private LatencyBuckets() {}

    /** The bucket of a latency; a negative one counts as 0. */
    static int of(long nanos) {
      if (nanos < SUB_BUCKETS) {
        return (int) Math.max(0, nanos);
      }
      int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - SUB_BITS;
      return (shift + 1) * SUB_BUCKETS + (int) (nanos >>> shift) - SUB_BUCKETS;
    }

    /** The largest latency in a bucket. */
    static long largest(int bucket) {
      if (bucket < SUB_BUCKETS) {
        return bucket;
      }
      int shift = bucket / SUB_BUCKETS - 1;
      return ((SUB_BUCKETS + bucket % SUB_BUCKETS + 1L) << shift) - 1;
    }
  }
}
