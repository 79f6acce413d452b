package io.weir.control;

import io.weir.merge.ForcedMergeProgress;
import io.weir.merge.MergeDebtSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * The rate that merges need so that they keep up with indexing and their debt does not grow: pure
 * arithmetic on what the writers that share a budget report.
 *
 * <p>It is their demand with some headroom, averaged over a minute: one large merge that has just
 * been accepted is no lasting demand. Where half of the merge slots are in use, indexing may stall
 * soon, so the debt of natural merges is to be written within a minute. Forced merges keep up with
 * nothing, and count in neither.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class KeepUpFloor {

  /** How much one writer needs. */
  record Need(MergeDebtSnapshot debt, Optional<ForcedMergeProgress> forced) {}

  private static final double AVERAGE_NANOS = 60e9;
  private static final double CATCH_UP_SECONDS = 60;

  private double demand;

  /** The rate, in bytes per second, after this many nanoseconds with these needs. */
  long bytesPerSecond(List<Need> needs, long elapsedNanos) {
    double demandNow = 0;
    double catchUp = 0;
    for (Need need : needs) {
      demandNow += need.debt().sufficientBytesPerSecond();
      catchUp += isCrowded(need) ? naturalDebt(need) / CATCH_UP_SECONDS : 0;
    }
    demand += (1 - Math.exp(-elapsedNanos / AVERAGE_NANOS)) * (demandNow - demand);
    return Math.round(demand + catchUp);
  }

  private static boolean isCrowded(Need need) {
    int natural =
        need.debt().runningMerges() - need.forced().map(ForcedMergeProgress::merges).orElse(0);
    return natural > 0
        && need.debt().mergeSlots().isPresent()
        && 2 * natural >= need.debt().mergeSlots().getAsInt();
  }

  private static double naturalDebt(Need need) {
    long forced =
        need.forced()
            .map(progress -> progress.estimatedBytes().orElse(0) - progress.doneBytes())
            .orElse(0L);
    return Math.max(0, need.debt().debtBytes() - Math.max(0, forced));
  }
}
