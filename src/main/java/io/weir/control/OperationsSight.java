package io.weir.control;

import java.util.OptionalLong;

/**
 * What an {@link OperationsPolicy} decides on: all that was seen in one tick.
 *
 * @param nowNanos when the tick ends
 * @param operations how many were done in it; empty when unknown
 * @param usedBytes what the budget granted in it
 * @param delayed whether a merge waited for the budget in it
 * @param mergesRun whether any merge runs
 * @param keepUpBytesPerSecond the rate that keeps up with indexing
 * @param ceilingBytesPerSecond the highest rate
 */
record OperationsSight(
    long nowNanos,
    OptionalLong operations,
    long usedBytes,
    boolean delayed,
    boolean mergesRun,
    long keepUpBytesPerSecond,
    long ceilingBytesPerSecond) {}
