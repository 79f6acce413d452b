package io.weir.stress.result;

/**
 * The kernel's dirty page cache over one arm without its warm-up, the whole machine's.
 *
 * @param peakBytes the most seen in any sample of the arm
 * @param peakByPhase the most seen in each phase; null entries where a phase had no sample
 */
public record DirtyResult(long peakBytes, Phases<Long> peakByPhase) {}
