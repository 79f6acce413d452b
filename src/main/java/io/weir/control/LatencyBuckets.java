package io.weir.control;

/**
 * The buckets of a histogram of latencies: eight for each power of two, so a bucket is at most one
 * eighth wider than its lower bound.
 *
 * <p><b>Units:</b> nanoseconds.
 */
final class LatencyBuckets {

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
