package io.weir.stress.sweep;

import io.weir.rate.Rate;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.run.SweepPoint.Verdict;
import io.weir.stress.plan.RoundOrder;
import io.weir.stress.plan.Slo;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Which cap of one kind of arm to measure next, as a pure decision on what is known.
 *
 * <p>First comes no cap at all: it tells what the merge writes by itself, and what the shortest
 * merge is. If that misses an objective, caps are halved from there on until one is low enough;
 * then the gap between the highest that was low enough and the lowest above it that was not is
 * halved by its geometric mean, until the two are within {@link #PRECISION}. A list of caps instead
 * is measured whole, in rounds, each in another order.
 *
 * <p>The best of those that met is then measured as often again, and judged by all of its rounds.
 * If it misses now the search goes on with that, so a cap that met by luck is no answer. A point is
 * judged by medians; latency need not be monotonic in the cap, and a point that contradicts others
 * is kept as it is.
 *
 * <p><b>Units:</b> bytes per second. <b>Threads:</b> immutable.
 */
final class CapSearch {

  /** How near the highest that met and the lowest that missed must be: a ratio. */
  static final double PRECISION = 1.2;

  /** Without a bound of the user's: no cap below this share of what the merge writes by itself. */
  static final double LEAST_SHARE = 1.0 / 16;

  private static final MathContext TWO_DIGITS = new MathContext(2, RoundingMode.HALF_UP);

  private final SweepPlan plan;

  CapSearch(SweepPlan plan) {
    this.plan = plan;
  }

  /** The cap that needs one more round; empty when the search is over. */
  Optional<Rate> next(Collection<CapPoint> points) {
    Optional<Rate> open = points.stream().filter(CapPoint::isOpen).map(CapPoint::cap).findFirst();
    Optional<Rate> fresh;
    if (plan.caps().isEmpty()) {
      fresh = open.isPresent() ? open : untried(points);
    } else {
      fresh = listed(points);
    }
    return fresh
        .or(() -> open)
        .or(() -> best(points).filter(point -> !isConfirmed(point)).map(CapPoint::cap));
  }

  /** The one with the shortest merge of those that met; of equals the highest cap. */
  Optional<CapPoint> best(Collection<CapPoint> points) {
    return shortestMerge(points.stream().filter(CapPoint::isMet));
  }

  /** The same while the search is on: one that is being confirmed counts by its rounds so far. */
  Optional<CapPoint> bestSoFar(Collection<CapPoint> points) {
    return shortestMerge(
        points.stream().filter(point -> point.meetsSoFar() && point.rounds() >= plan.rounds()));
  }

  private static Optional<CapPoint> shortestMerge(Stream<CapPoint> points) {
    return points.min(
        Comparator.comparingDouble(
                (CapPoint point) -> point.mergeSeconds().orElse(Double.MAX_VALUE))
            .thenComparing(CapPoint::cap, BY_RATE.reversed()));
  }

  /** Whether a point was measured once more after it had met. */
  boolean isConfirmed(CapPoint point) {
    return point.rounds() >= 2 * plan.rounds();
  }

  /** No cap is above all others. */
  static final Comparator<Rate> BY_RATE =
      Comparator.comparingLong(cap -> cap.isLimited() ? cap.bytesPerSecond() : Long.MAX_VALUE);

  /**
   * The caps to try one after the other until one is low enough, the highest first.
   *
   * @param own what the merge writes without a cap, and reads if caps count that
   */
  List<Long> ladder(long own) {
    List<Long> rungs = new ArrayList<>();
    double least = plan.least().isPresent() ? plan.least().getAsLong() : own * LEAST_SHARE;
    boolean bounded = plan.most().isPresent() && plan.most().getAsLong() < own;
    double highest = bounded ? plan.most().getAsLong() : own / 2.0;
    for (double rung = highest; rung > least * PRECISION; rung /= 2) {
      rungs.add(bounded && rungs.isEmpty() ? plan.most().getAsLong() : rounded(rung));
    }
    rungs.add(plan.least().isPresent() ? plan.least().getAsLong() : rounded(least));
    rungs.removeIf(rung -> rung >= own); // that would be no cap
    return rungs;
  }

  /** The lowest cap that may be tried; empty when there is none. */
  OptionalLong lowest(long own) {
    Collection<Long> caps = plan.caps().isEmpty() ? ladder(own) : plan.caps();
    return caps.stream().mapToLong(Long::longValue).min();
  }

  /** No cap, then down the ladder, then between; empty when there is nothing to try. */
  private Optional<Rate> untried(Collection<CapPoint> points) {
    Optional<CapPoint> uncapped = points.stream().filter(p -> !p.cap().isLimited()).findFirst();
    if (uncapped.isEmpty()) {
      return Optional.of(Rate.UNLIMITED);
    }
    if (uncapped.get().isLowEnough() || uncapped.get().mergeBytesPerSecond().isEmpty()) {
      return Optional.empty();
    }
    long own = uncapped.get().mergeBytesPerSecond().getAsLong();
    OptionalLong low = limited(points, CapPoint::isLowEnough).max();
    OptionalLong next =
        low.isPresent()
            ? between(low.getAsLong(), lowestTooHigh(points, low.getAsLong(), own))
            : below(limited(points, CapPoint::isTooHigh).min(), own);
    return next.isPresent() ? Optional.of(Rate.perSecond(next.getAsLong())) : Optional.empty();
  }

  /** A cap as high as what the merge writes by itself is none, and that missed. */
  private long lowestTooHigh(Collection<CapPoint> points, long low, long own) {
    long bound = plan.most().isPresent() ? Math.min(own, plan.most().getAsLong()) : own;
    return limited(points, CapPoint::isTooHigh).filter(cap -> cap > low).min().orElse(bound);
  }

  private static OptionalLong between(long low, long high) {
    long middle = rounded(Math.sqrt((double) low * high));
    return high <= low * PRECISION || middle <= low || middle >= high
        ? OptionalLong.empty()
        : OptionalLong.of(middle);
  }

  private OptionalLong below(OptionalLong lowestTried, long own) {
    return ladder(own).stream()
        .mapToLong(Long::longValue)
        .filter(rung -> lowestTried.isEmpty() || rung < lowestTried.getAsLong())
        .findFirst();
  }

  private static LongStream limited(Collection<CapPoint> points, Predicate<CapPoint> wanted) {
    return points.stream()
        .filter(point -> point.cap().isLimited())
        .filter(wanted)
        .mapToLong(point -> point.cap().bytesPerSecond());
  }

  /** Round by round all caps of the list, and none; one that failed is not run again. */
  private Optional<Rate> listed(Collection<CapPoint> points) {
    List<Rate> caps = new ArrayList<>(List.of(Rate.UNLIMITED));
    plan.caps().forEach(cap -> caps.add(Rate.perSecond(cap)));
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Rate cap : RoundOrder.of(caps, plan.seed(), round)) {
        Optional<CapPoint> point = points.stream().filter(p -> p.cap().equals(cap)).findFirst();
        if (point.isEmpty() || point.get().isOpen() && point.get().rounds() < round) {
          return Optional.of(cap);
        }
      }
    }
    return Optional.empty();
  }

  /** To two digits, which moves it by 5 % at most: a gap of more than 20 % still holds it. */
  private static long rounded(double bytesPerSecond) {
    return Math.max(
        Rate.MIN_BYTES_PER_SECOND,
        BigDecimal.valueOf(bytesPerSecond).round(TWO_DIGITS).longValue());
  }

  /**
   * What a search knows of one cap of one kind of arm.
   *
   * @param cap limited or {@link Rate#UNLIMITED}
   * @param rounds that ended
   * @param meetsSoFar whether it met every objective by the rounds that ended, be there more to
   *     come
   * @param isLowEnough whether no lower cap is called for: it met every objective, but perhaps
   *     those that bound how long the merge takes, which a lower cap would only miss by more
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
              .filter(
                  arm -> arm.get(MergeFigures.SECONDS).filter(seconds -> seconds > 0).isPresent())
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
}
