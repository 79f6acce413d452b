package io.weir.control;

import io.weir.merge.ForcedMergeProgress;
import io.weir.merge.MergeDebtSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The rate that merges need so that they keep up with indexing and their debt does not grow: pure
 * arithmetic on what the writers that share a budget report.
 *
 * <p>It is their demand with some headroom, over at least {@link #LEAST_OBSERVED}: in the first
 * seconds of a writer, one large merge is no lasting demand. Where half of the merge slots are in
 * use, indexing may stall soon, so the debt of natural merges is to be written within a minute.
 * Forced merges keep up with nothing, and count in neither.
 */
final class KeepUpFloor {

  /** How much one writer needs. */
  record Need(MergeDebtSnapshot debt, Optional<ForcedMergeProgress> forced) {}

  static final Duration LEAST_OBSERVED = Duration.ofSeconds(60);

  private static final double CATCH_UP_SECONDS = 60;

  private KeepUpFloor() {}

  /** The rate, in bytes per second. */
  static long bytesPerSecond(List<Need> needs) {
    double needed = 0;
    for (Need need : needs) {
      needed += need.debt().sufficientBytesPerSecond() * weight(need.debt().observed());
      needed += isCrowded(need) ? naturalDebt(need) / CATCH_UP_SECONDS : 0;
    }
    return Math.round(needed);
  }

  private static double weight(Duration observed) {
    return Math.min(1, (double) observed.toNanos() / LEAST_OBSERVED.toNanos());
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

  /**
   * A lowest rate that moves in steps: a floor that creeps would make each look a change of the
   * rate.
   *
   * <p><b>Units:</b> bytes per second. <b>Threads:</b> one at a time.
   */
  static final class SteadyFloor {

    private static final double STEP = 1.15;
    private static final double LOWER = 0.7;

    private final double least;
    private double floor;

    SteadyFloor(double least) {
      this.least = least;
    }

    /** The floor, for the rate that keeps up with indexing now. */
    double at(double keepUp) {
      double needed = Math.max(least, keepUp);
      if (needed > floor || needed < LOWER * floor) {
        floor = keepUp > least ? STEP * needed : needed;
      }
      return floor;
    }
  }
}
