package io.weir.stress.sweep;

import io.weir.rate.Rate;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.run.SweepPoint.Verdict;
import io.weir.stress.plan.Slo;
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
      SweepPlan plan, Rate cap, boolean countsReads, List<Part> results, List<Part> uncapped) {
    int rounds = results.size();
    if (results.stream().anyMatch(result -> result.status() != Status.DONE)) {
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

  private static OptionalLong bytesPerSecond(List<Part> results, boolean countsReads) {
    double[] rates =
        results.stream()
            .filter(Part::isMeasured)
            .filter(arm -> arm.get(MergeFigures.SECONDS).filter(seconds -> seconds > 0).isPresent())
            .filter(arm -> arm.get(MergeFigures.BYTES_WRITTEN).isPresent())
            .mapToDouble(arm -> bytes(arm, countsReads) / arm.require(MergeFigures.SECONDS))
            .toArray();
    long median = rates.length == 0 ? 0 : Math.round(RunFigure.median(rates));
    return median > 0 ? OptionalLong.of(median) : OptionalLong.empty();
  }

  private static double bytes(Part arm, boolean countsReads) {
    long read = countsReads ? arm.get(MergeFigures.READ_BYTES).orElse(0L) : 0;
    return (double) arm.require(MergeFigures.BYTES_WRITTEN) + read;
  }
}
