package io.weir.store;

/**
 * The figures of a {@link WritebackDirectory} at one moment. All except {@code inFlightRanges} and
 * {@code lostFiles} only grow.
 *
 * @param startedRanges ranges whose write was started; with {@link WritebackMethod#FDATASYNC},
 *     ranges whose wait was started
 * @param inFlightRanges started ranges of open files that were not waited for yet
 * @param startedBytes bytes in the ranges started
 * @param waitNanos time that writing threads spent in these calls, summed over threads
 * @param faults files whose smoothing ended early because a call failed
 * @param droppedBytes bytes dropped from the page cache after they reached the disk
 * @param lostWrites files of merges and copies that were abandoned because the kernel reported a
 *     lost part; included in the faults
 * @param lostFiles existing files whose sync has failed; {@code Directory.sync} continues to fail
 *     for each of them
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
