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
}
