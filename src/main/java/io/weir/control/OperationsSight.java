package io.weir.control;

import io.weir.procfs.OperationCounters;
import java.util.Optional;

/**
 * What an {@link OperationsPolicy} decides on: all that was seen in one tick.
 *
 * @param nowNanos when the tick ends
 * @param operations how many were done in it; empty when unknown
 * @param used what the budget granted in it
 * @param delayed whether a merge waited for the budget in it
 * @param mergesRun whether any merge runs
 * @param keepUpBytesPerSecond the rate that keeps up with indexing
 * @param ceilingBytesPerSecond the highest rate
 */
record OperationsSight(
    long nowNanos,
    Optional<OperationCounters> operations,
    ChargedBytes used,
    boolean delayed,
    boolean mergesRun,
    long keepUpBytesPerSecond,
    long ceilingBytesPerSecond) {

  /**
   * Bytes that merges were charged for.
   *
   * @param readBytes what they had read, if the budget counts that
   * @param writtenBytes what they write
   */
  record ChargedBytes(long readBytes, long writtenBytes) {

    static final ChargedBytes NOTHING = new ChargedBytes(0, 0);

    boolean isNothing() {
      return readBytes == 0 && writtenBytes == 0;
    }

    /** From 0 to 1; 0 of nothing. */
    double shareOfReads() {
      return readBytes == 0 ? 0 : (double) readBytes / ((double) readBytes + writtenBytes);
    }
  }
}
