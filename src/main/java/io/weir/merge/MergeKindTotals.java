package io.weir.merge;

/**
 * All merges of one kind since the scheduler or tracker was created. All figures except {@code
 * running} only grow.
 *
 * @param running merges in progress
 * @param done merges that finished
 * @param aborted merges that were aborted
 * @param failed merges that threw
 * @param writtenBytes bytes granted to them, including running merges
 * @param temporaryBytes the part of those written to temporary files
 * @param compoundBytes the part of those written to compound files
 * @param pauses how often one of their threads waited for the budget or yielded; always 0 for
 *     {@link MergeKind#CRITICAL}
 * @param pausedNanos total duration of finished pauses, summed over threads
 */
public record MergeKindTotals(
    long running,
    long done,
    long aborted,
    long failed,
    long writtenBytes,
    long temporaryBytes,
    long compoundBytes,
    long pauses,
    long pausedNanos) {}
