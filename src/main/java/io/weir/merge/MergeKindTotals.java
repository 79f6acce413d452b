package io.weir.merge;

/**
 * All merges of one kind since the scheduler was made. Every figure only grows, but for {@code
 * running}.
 *
 * @param running merges that have started and not ended
 * @param done merges that were done
 * @param aborted merges that were called off
 * @param failed merges that threw
 * @param writtenBytes bytes granted to them, running ones included
 * @param temporaryBytes of those, what went to temporary files
 * @param compoundBytes of those, what went to compound files
 * @param pauses how often a thread of theirs waited for the budget, or stood aside; for {@link
 *     MergeKind#CRITICAL} always 0
 * @param pausedNanos how long those waits took that are over, added over threads
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
