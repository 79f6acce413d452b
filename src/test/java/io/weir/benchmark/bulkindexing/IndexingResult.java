package io.weir.benchmark.bulkindexing;

/**
 * What was measured of one arm in one round.
 *
 * @param timing what the run measured
 * @param threadsNanos processor time of the arm's threads, without the compiler and the collector
 * @param allocatedBytes on the heap, by the arm's threads
 * @param othersNanos processor time of other processes meanwhile
 */
record IndexingResult(
    IndexingRun.Timing timing, long threadsNanos, long allocatedBytes, long othersNanos) {

  IndexingResult withOthers(long newOthersNanos) {
    return new IndexingResult(timing, threadsNanos, allocatedBytes, newOthersNanos);
  }
}
