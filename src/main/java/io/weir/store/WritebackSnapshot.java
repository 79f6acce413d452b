package io.weir.store;

/**
 * What a {@link WritebackDirectory} has done so far, at one moment. All but {@code inFlightRanges}
 * and {@code lostFiles} only grow.
 *
 * @param startedRanges ranges whose write was started; with {@link WritebackMethod#FDATASYNC},
 *     which does not start one without waiting for it, those that were begun to be waited for
 * @param inFlightRanges ranges of files still open that were started and not waited for yet
 * @param startedBytes bytes in the ranges started
 * @param waitNanos time that writing threads spent in these calls, added over threads
 * @param faults files that are or were written on without smoothing, because a call failed
 * @param droppedBytes bytes that were dropped from the page cache after they had reached the disk
 * @param lostWrites files of merges and copies that were given up, because the kernel reported that
 *     a part could not be written; they are among the faults
 * @param lostFiles files, not deleted since, whose sync has failed; {@code Directory.sync} goes on
 *     failing for each of them
 */
public record WritebackSnapshot(
    long startedRanges,
    long inFlightRanges,
    long startedBytes,
    long waitNanos,
    long faults,
    long droppedBytes,
    long lostWrites,
    int lostFiles) {}
