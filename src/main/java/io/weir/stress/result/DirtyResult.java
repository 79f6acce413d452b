package io.weir.stress.result;

import java.util.Optional;

/**
 * Dirty pages of the whole machine during one arm, its warm-up excluded.
 *
 * @param peakBytes the most seen in any sample of the arm
 * @param peakByPhase the most seen in each phase; empty for a phase without a sample
 */
public record DirtyResult(long peakBytes, Phases<Optional<Long>> peakByPhase) {}
