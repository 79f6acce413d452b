package io.weir.indexing.cell;

/**
 * All counters of a cell at one moment. All but the debt grow only.
 *
 * @param nanos on the clock of the cell
 * @param processorNanos that this JVM has used
 * @param feederNanos that its indexing threads have used
 */
record Sample(
    long nanos,
    long documents,
    long textBytes,
    long flushes,
    long flushedBytes,
    long packedBytes,
    long mergedBytes,
    long otherBytes,
    long mergeDebtBytes,
    long mergeStalls,
    long mergeStallNanos,
    long flushStalls,
    long flushStallNanos,
    long processorNanos,
    long feederNanos,
    long collections,
    long collectorMillis) {}
