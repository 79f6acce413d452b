package io.weir.stress.sweep;

import io.weir.rate.Rate;
import io.weir.stress.plan.Slo;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.MergeReadResult;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.RunFigure;
import io.weir.stress.result.SloResult;
import io.weir.stress.result.SweepPoint.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a search knows of one cap of one kind of arm.
 *
 * @param cap limited or {@link Rate#UNLIMITED}
 * @param rounds that ended
 * @param meetsSoFar whether it met every objective by the rounds that ended, be there more to come
 * @param isLowEnough whether no lower cap is called for: it met every objective, but perhaps those
 *     that bound how long the merge takes, which a lower cap would only miss by more
 * @param mergeSeconds the median; empty unless every round measured it
 * @param mergeBytesPerSecond what the merge wrote in a second, and read if caps count that, the
 *     median; empty likewise, and when it wrote nothing
 */
record CapPoint(
    Rate cap,
    int rounds,
    Verdict verdict,
    boolean meetsSoFar,
    boolean isLowEnough,
    Optional<Double> mergeSeconds,
    OptionalLong mergeBytesPerSecond) {

  /**
   * Judges a point by all of its rounds.
   *
   * @param countsReads whether caps of this kind count what merges read
   * @param results its rounds
   * @param uncapped the rounds of the same kind without a cap
   */
  static CapPoint of(
      SweepPlan plan,
      Rate cap,
      boolean countsReads,
      List<ArmResult> results,
      List<ArmResult> uncapped) {
    int rounds = results.size();
    if (results.stream().anyMatch(result -> result.status() != ArmStatus.DONE)) {
      return new CapPoint(
          cap, rounds, Verdict.FAILED, false, false, Optional.empty(), OptionalLong.empty());
    }
    boolean met = true;
    boolean lowEnough = true;
    for (Slo slo : plan.slos()) {
      SloResult result = slo.judge("", results, uncapped);
      met &= result.met();
      lowEnough &= result.met() || boundsLength(slo) && result.value().isPresent();
    }
    boolean open = rounds % plan.rounds() != 0;
    return new CapPoint(
        cap,
        rounds,
        open ? Verdict.OPEN : met ? Verdict.MET : Verdict.MISSED,
        met,
        lowEnough,
        RunFigure.MERGE_SECONDS.median(results),
        bytesPerSecond(results, countsReads));
  }

  boolean isOpen() {
    return verdict == Verdict.OPEN;
  }

  boolean isMet() {
    return verdict == Verdict.MET;
  }

  /** Judged, and a higher cap would not do: it missed or failed. */
  boolean isTooHigh() {
    return !isOpen() && !isLowEnough;
  }

  private static boolean boundsLength(Slo slo) {
    return slo.figure() == RunFigure.MERGE_SECONDS && slo.relation().isUpperBound();
  }

  private static OptionalLong bytesPerSecond(List<ArmResult> results, boolean countsReads) {
    double[] rates =
        ArmResult.measured(results)
            .flatMap(arm -> arm.merge().stream())
            .filter(merge -> merge.seconds() > 0 && merge.bytesWritten().isPresent())
            .mapToDouble(merge -> bytes(merge, countsReads) / merge.seconds())
            .toArray();
    long median = rates.length == 0 ? 0 : Math.round(RunFigure.median(rates));
    return median > 0 ? OptionalLong.of(median) : OptionalLong.empty();
  }

  private static double bytes(MergeResult merge, boolean countsReads) {
    long read = countsReads ? merge.reads().map(MergeReadResult::bytes).orElse(0L) : 0;
    return merge.bytesWritten().orElseThrow() + read;
  }
}
