package io.weir.control;

import io.weir.control.Evidence.QueueDetector;
import io.weir.control.KeepUpFloor.SteadyFloor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * The decision of a {@link LatencyGoal}: which rate merges may have so that latencies meet their
 * targets. This is arithmetic on what was seen; it reads no clock and does not wait.
 *
 * <p><b>Down at once, by evidence.</b> When the {@link Evidence} of any target shows a miss, what
 * merges used and a tenth is remembered as the <em>knee</em>: at least a quarter of the rate, and
 * at most the rate. The rate is cut to between 0.35 and 0.7 of the knee, the lower the worse the
 * miss. Operations that began before the cut took effect are no evidence against the new rate.
 *
 * <p><b>Down before any is late.</b> Frequent operations queue up behind each other at a rate that
 * is too high. When a {@link QueueDetector} sees it, the rate is cut to 0.85 of the knee.
 *
 * <p><b>First a drain.</b> Most of the operations in such a queue end after the cut. So merges then
 * stand back at the floor, until a tick has no late operation, whenever it began, and most were
 * below half of the limit, or {@link #MOST_DRAIN_NANOS} have passed.
 *
 * <p><b>Up by steps, as long as all is calm.</b> Far below the knee, or without one, the rate
 * doubles each second. Near the knee the steps are small. Beyond it they begin small and grow, and
 * at twice the knee the knee is forgotten. A sample near the limit ends the climb. So the rate
 * settles below the knee and stays there, instead of running into it again and again.
 *
 * <p><b>Within the error budget.</b> A target is judged by the percentile of a whole merge. So late
 * operations are charged to an {@link ErrorBudget}. While it is spent, a cut goes to at most 0.6 of
 * the knee, and from half of the knee on the rate is not raised. From the plateau the rate goes on
 * towards the knee only when the budget covers a failure.
 *
 * <p><b>Back when the load is lighter.</b> {@link LighterLoad} tells when to go back to a rate that
 * held before a burst, and when a debt is that of another load.
 *
 * <p><b>Patience.</b> A climb that ends in a cut doubles the run of calm samples that the next
 * climb near the knee needs. Patience halves with each {@link #FORGET_NANOS} without a cut. After a
 * run of samples far below the limit, it does not count: the load has changed.
 *
 * <p><b>No samples are not good samples.</b> The rate holds until so much time has passed that the
 * operations cannot just be rare. Then no operation waits for the disk, and the rate climbs. An
 * operation that hangs is seen while it runs, so it is not taken for silence.
 *
 * <p><b>Only what is used counts.</b> A rate that merges do not use is not raised. A miss while no
 * merge writes cuts nothing. After a rest, merges begin with the start of the options, or with the
 * rate before the rest if that is lower and the knee is not forgotten.
 *
 * <p><b>A forced merge is other work.</b> Natural merges are mostly short, and read what the page
 * cache still has. So a rate at which nothing was late while they ran proves little. Without a
 * knee, a forced merge that is the first for {@link #REST_NANOS} begins with the start as well. A
 * debt of the time before does not count in it, and neither does a knee if the rate is below the
 * start.
 *
 * <p><b>Units:</b> bytes per second, nanoseconds of one clock. <b>Threads:</b> one at a time.
 */
final class GoalPolicy {

  /** How long a change of rate takes to show: queued writes have to reach the disk. */
  static final long SETTLE_NANOS = 300_000_000;

  /** The most time for which merges stand back after a cut. */
  static final long MOST_DRAIN_NANOS = 1_000_000_000;

  /** The least time between two steps up. */
  static final long STEP_NANOS = 1_000_000_000;

  /** Without samples for this long, or for longer if they are rare, no operation waits. */
  static final long QUIET_NANOS = 5_000_000_000L;

  /** After a rest of merges of this length, the next one begins gently. */
  static final long REST_NANOS = 30_000_000_000L;

  /** Patience halves, and a resting knee is forgotten, after multiples of this. */
  static final long FORGET_NANOS = 120_000_000_000L;

  private static final long MOST_QUIET_NANOS = 120_000_000_000L;
  private static final double QUIET_GAPS = 4;
  private static final double IDLE_BYTES_PER_SECOND = 32_768;
  private static final long IDLE_NANOS = 500_000_000;
  private static final int USED_TICKS = 4; // about a second

  // Samples; fewer where they are rare.
  private static final int CALM_TO_BEGIN = 8; // times patience
  private static final int CALM_TO_GO_ON = 3;
  private static final int FEW = 2;
  private static final double FREQUENT = 4; // operations of a tick
  private static final double SAMPLED_NANOS = 4e9;
  private static final double MOST_CAUTION_NANOS = 25e9; // after a sample near the limit
  private static final int LOW_TO_HURRY = 8; // times patience
  private static final int MOST_LOW = 64;
  private static final int BASE_PATIENCE = 2;
  private static final int MAX_PATIENCE = 16;
  private static final int MOST_TIMES_CLEAR = 4;

  private static final double DOUBLE = 2;
  private static final double NEAR_KNEE = 0.5;
  private static final double PLATEAU = 0.8; // of the knee
  private static final double QUEUE_FACTOR = 0.85; // of the knee
  private static final double SPENT_FACTOR = 0.6; // of the knee, at most, while the budget is spent
  private static final double SMALL_STEP = 1.1;
  private static final double BELOW_KNEE_STEP = 1.25;
  private static final double USED_SHARE = 0.5;
  private static final double MOST_UNUSED = 4;

  private static final Set<GoalReason> CUTS =
      EnumSet.of(GoalReason.QUEUEING, GoalReason.MISSED, GoalReason.MISSED_AT_FLOOR);

  private final GoalOptions options;
  private final SteadyFloor floor;
  private final LighterLoad load = new LighterLoad();
  private final List<Evidence> evidence = new ArrayList<>();
  private double rate;
  private final double[] usedTicks = new double[USED_TICKS];
  private double used; // their mean
  private double knee; // the rate that missed; 0 for none
  private double firstKnee; // of the cuts since the last climb
  private int patience = BASE_PATIENCE;
  private boolean climbing;
  private int stepsBeyondKnee;
  private boolean climbedSinceCut;
  private double drainedRate; // to go to when what queued up has ended; 0 if nothing drains
  private long nowNanos;
  private long changedNanos;
  private long cutNanos;
  private long forgotNanos;
  private long wroteNanos; // when a merge last wrote or waited
  private long forcedNanos; // when a forced merge last ran
  private boolean resting = true;
  private long sampledNanos; // when a sample last came
  private double gapNanos; // between ticks with samples, averaged

  GoalPolicy(GoalOptions options, long startNanos) {
    this.options = options;
    this.floor = new SteadyFloor(options.floorBytesPerSecond());
    this.rate = options.startBytesPerSecond();
    nowNanos = startNanos;
    changedNanos = startNanos;
    cutNanos = startNanos - SETTLE_NANOS;
    forgotNanos = startNanos;
    wroteNanos = startNanos;
    forcedNanos = startNanos - REST_NANOS;
    sampledNanos = startNanos;
  }

  /** Adds a target. Its samples come in the order in which targets were added. */
  void add(LatencyTarget target) {
    evidence.add(new Evidence(target));
  }

  /** The percentile of a target over the last ten to twenty seconds; empty without samples. */
  OptionalLong tailNanos(int target) {
    return evidence.get(target).tailNanos();
  }

  /** An operation that began before this is no evidence against the present rate. */
  long evidenceSinceNanos() {
    return cutNanos + SETTLE_NANOS;
  }

  /** Time passes until then without a decision: it counts neither as quiet nor as a rest. */
  void notSeen(long untilNanos) {
    long passedNanos = untilNanos - nowNanos;
    nowNanos = untilNanos;
    changedNanos += passedNanos;
    wroteNanos += passedNanos;
    forcedNanos += passedNanos;
    sampledNanos += passedNanos;
    evidence.forEach(one -> one.pass(passedNanos));
  }

  /** Decides on one tick. */
  GoalDecision decide(Sight sight) {
    long elapsedNanos = sight.nowNanos() - nowNanos;
    nowNanos = sight.nowNanos();
    double before = rate;
    double ceiling = sight.ceilingBytesPerSecond();
    double floor = Math.min(ceiling, this.floor.at(sight.keepUpBytesPerSecond()));
    takeIn(sight, elapsedNanos, floor);
    GoalReason reason = choose(sight, floor, ceiling);
    if (rate > ceiling) {
      reason = GoalReason.OVER_CEILING;
      change(ceiling);
    } else if (rate < floor) {
      reason = GoalReason.KEEP_UP;
      change(floor);
    }
    Evidence closest =
        evidence.stream().max(Comparator.comparingDouble(this::nearness)).orElseThrow();
    GoalDecision decision =
        new GoalDecision(
            nowNanos,
            reason,
            Math.round(before),
            Math.round(rate),
            Math.round(floor),
            Math.round(ceiling),
            Math.round(used),
            closest.target(),
            closest.tailNanos(),
            closest.count(),
            closest.misses());
    if (decision.isChange()) {
      evidence.forEach(Evidence::rateChanged);
    }
    if (CUTS.contains(decision.reason())) {
      evidence.forEach(Evidence::acquit);
    }
    return decision;
  }

  private void takeIn(Sight sight, long elapsedNanos, double floor) {
    if (drainedRate == 0) {
      System.arraycopy(usedTicks, 1, usedTicks, 0, usedTicks.length - 1);
      usedTicks[usedTicks.length - 1] = sight.usedBytesPerSecond();
      used = Arrays.stream(usedTicks).average().orElseThrow();
    }
    if (sight.usedBytesPerSecond() >= IDLE_BYTES_PER_SECOND || sight.delayed()) {
      wroteNanos = nowNanos;
    }
    boolean calm = true;
    boolean sampled = false;
    for (int i = 0; i < evidence.size(); i++) {
      LatencySamples samples = sight.samples().get(i);
      Evidence one = evidence.get(i);
      one.add(samples, elapsedNanos, !sight.stoodStill());
      if (!isIdle() && !sight.stoodStill()) {
        // At the floor no lower rate could have avoided a miss; but in a drain the one before did
        // it.
        boolean avoidable = rate > floor || drainedRate > 0;
        one.budget().add(samples.count(), avoidable ? samples.misses() : 0);
      }
      sampled |= samples.count() > 0 || samples.runningNanos() > 0;
      calm &= one.isCalm();
    }
    if (sampled) {
      gapNanos += (nowNanos - sampledNanos - gapNanos) / QUIET_GAPS;
      sampledNanos = nowNanos;
    }
    climbing &= calm;
    if (!isIdle() && drainedRate == 0) {
      load.unchanged(rate, nowNanos - changedNanos);
    }
    if (patience > BASE_PATIENCE && nowNanos - Math.max(cutNanos, forgotNanos) >= FORGET_NANOS) {
      patience /= 2;
      forgotNanos = nowNanos;
    }
  }

  private GoalReason choose(Sight sight, double floor, double ceiling) {
    if (isIdle()) {
      return idle();
    }
    boolean begins = resting;
    resting = false;
    boolean forcedBegins = sight.forcedMergesRun() && nowNanos - forcedNanos >= REST_NANOS;
    if (sight.forcedMergesRun()) {
      forcedNanos = nowNanos;
    }
    double start = Math.clamp(options.startBytesPerSecond(), floor, ceiling);
    if (begins && (rate > start || rate < start && knee == 0)) {
      change(start);
      return GoalReason.MERGES_BEGIN;
    }
    if (forcedBegins) {
      load.rest(); // what held while natural merges ran
      evidence.forEach(Evidence::forgive); // a target is judged by a whole merge
      if (rate < start) {
        knee = 0; // that of other work
      }
      if (knee == 0 && rate > start) {
        change(start);
        return GoalReason.FORCED_MERGE_BEGINS;
      }
    }
    if (drainedRate > 0) {
      return drain(sight, floor);
    }
    if (evidence.stream().anyMatch(Evidence::showsMiss)) {
      return missed(floor);
    }
    if (rate > floor && evidence.stream().anyMatch(Evidence::showsQueue)) {
      cut(floor, QUEUE_FACTOR);
      return GoalReason.QUEUEING;
    }
    if (rate >= ceiling) {
      return GoalReason.AT_CEILING;
    }
    if (nowNanos - changedNanos < STEP_NANOS) {
      return GoalReason.SETTLING;
    }
    if (!sight.delayed() || used < USED_SHARE * rate) {
      return GoalReason.UNUSED;
    }
    return climb(ceiling);
  }

  private boolean isIdle() {
    return nowNanos - wroteNanos >= IDLE_NANOS;
  }

  private GoalReason idle() {
    if (drainedRate > 0) {
      change(Math.max(rate, drainedRate));
      drainedRate = 0;
    }
    evidence.forEach(Evidence::acquit);
    climbing = false;
    if (nowNanos - wroteNanos >= REST_NANOS) {
      resting = true;
      patience = BASE_PATIENCE;
      load.rest();
      evidence.forEach(Evidence::forgive);
    }
    if (nowNanos - wroteNanos >= FORGET_NANOS) {
      knee = 0;
    }
    return GoalReason.NO_MERGES;
  }

  private GoalReason missed(double floor) {
    if (rate <= floor) {
      load.cut();
      cutNanos = nowNanos; // what runs now has been judged
      climbing = false;
      return GoalReason.MISSED_AT_FLOOR;
    }
    double worst = evidence.stream().mapToDouble(Evidence::worst).max().orElse(1);
    double factor = worst >= LatencySamples.SEVERE ? 0.35 : worst >= DOUBLE ? 0.5 : 0.7;
    cut(floor, factor);
    return GoalReason.MISSED;
  }

  private void cut(double floor, double ofKnee) {
    load.cut();
    boolean spent = evidence.stream().anyMatch(one -> one.budget().isSpent());
    double factor = spent ? Math.min(ofKnee, SPENT_FACTOR) : ofKnee;
    knee = Math.min(rate, Math.max(used * SMALL_STEP, rate / MOST_UNUSED));
    if (climbedSinceCut) {
      patience = Math.min(MAX_PATIENCE, 2 * patience);
      firstKnee = knee;
    } else if (knee < NEAR_KNEE * firstKnee) {
      patience = BASE_PATIENCE; // cut after cut: the load has changed
    }
    climbedSinceCut = false;
    climbing = false;
    cutNanos = nowNanos;
    double lower = Math.max(floor, knee * factor);
    boolean queued =
        evidence.stream().anyMatch(one -> one.operationsOfATick() >= FREQUENT || one.showsQueue());
    drainedRate = queued && lower > floor ? lower : 0;
    change(drainedRate > 0 ? floor : lower);
  }

  /** What queued up at the higher rate ends soonest while merges stand back. */
  private GoalReason drain(Sight sight, double floor) {
    boolean queued =
        sight.samples().stream().anyMatch(samples -> samples.misses() + samples.formerMisses() > 0)
            || evidence.stream().anyMatch(Evidence::wasSlow);
    if (nowNanos - cutNanos < SETTLE_NANOS || queued && nowNanos - cutNanos < MOST_DRAIN_NANOS) {
      return GoalReason.SETTLING;
    }
    change(Math.max(floor, drainedRate));
    drainedRate = 0;
    evidence.forEach(Evidence::acquit);
    return GoalReason.DRAINED;
  }

  private GoalReason climb(double ceiling) {
    double quietNanos = Math.clamp(QUIET_GAPS * gapNanos, QUIET_NANOS, MOST_QUIET_NANOS);
    boolean quiet = nowNanos - sampledNanos >= quietNanos;
    if (!quiet && nowNanos - sampledNanos > Math.max(STEP_NANOS, DOUBLE * gapNanos)) {
      return GoalReason.NO_SAMPLES;
    }
    int toBegin = (int) Math.clamp(SAMPLED_NANOS / Math.max(1, gapNanos), FEW, CALM_TO_BEGIN);
    int toGoOn = (int) Math.clamp(STEP_NANOS / Math.max(1, gapNanos), 1, CALM_TO_GO_ON);
    boolean hurry =
        quiet || least(Evidence::low) >= Math.min(MOST_LOW, (long) LOW_TO_HURRY * patience);
    int needed = hurry || isFarBelowKnee() ? 1 : patience;
    double enough = toBegin * needed;
    double mostCaution = MOST_CAUTION_NANOS / Math.max(1, gapNanos);
    evidence.forEach(one -> one.limitRoom(-mostCaution, enough));
    if (load.isBack(rate, least(Evidence::calmNanos))) {
      change(Math.min(ceiling, load.next(rate)));
      return GoalReason.LIGHTER_LOAD;
    }
    boolean over = isOverBudget();
    if ((over || leastRoom() < 0) && load.isAnother(least(Evidence::lowNanos))) {
      knee = 0;
      evidence.forEach(Evidence::forgive);
    } else if (over && !quiet) {
      return GoalReason.ERROR_BUDGET;
    }
    boolean hasRoom = leastRoom() >= enough && nowNanos - changedNanos >= needed * STEP_NANOS;
    if (quiet || (climbing ? least(Evidence::count) >= toGoOn : hasRoom)) {
      if (!climbing) {
        climbing = true;
        stepsBeyondKnee = 0;
      }
      change(Math.min(ceiling, rate * stepUp()));
      return quiet ? GoalReason.NOBODY_WAITS : GoalReason.CALM;
    }
    if (evidence.stream().allMatch(one -> one.isMetClearly(Math.min(needed, MOST_TIMES_CLEAR)))
        && nowNanos - changedNanos >= QUIET_NANOS) {
      change(Math.min(ceiling, rate * SMALL_STEP));
      return GoalReason.MET_CLEARLY;
    }
    if (!evidence.stream().allMatch(Evidence::isCalm)) {
      return GoalReason.NEAR;
    }
    return leastRoom() < toBegin || isFarBelowKnee() ? GoalReason.WATCHING : GoalReason.PATIENCE;
  }

  /** Whether a higher rate may cost more late operations than the target allows. */
  private boolean isOverBudget() {
    if (knee > 0 && rate < NEAR_KNEE * knee) {
      return false;
    }
    // The floor, too, can carry the rate far beyond the knee.
    boolean searches =
        !isFarBeyondKnee() && rate + 1 >= PLATEAU * knee; // or nearly: rates are rounded
    return evidence.stream()
        .map(Evidence::budget)
        .anyMatch(budget -> budget.isSpent() || searches && !budget.coversASearch());
  }

  private double stepUp() {
    climbedSinceCut = true;
    if (knee == 0) {
      return fast();
    }
    if (rate < PLATEAU * knee) {
      double step = isFarBelowKnee() ? DOUBLE : BELOW_KNEE_STEP;
      double rest = PLATEAU * knee / rate;
      if (rest <= step) {
        climbing = false; // stay there, until there is room again
        evidence.forEach(Evidence::forgetRoom);
      }
      return Math.min(rest, step);
    }
    if (isFarBeyondKnee()) {
      knee = 0;
      patience = BASE_PATIENCE;
      return fast();
    }
    double growth = (SMALL_STEP - 1) * (1 << stepsBeyondKnee++);
    return Math.min(DOUBLE, 1 + growth);
  }

  /** Doubles the rate only if there is plenty of room. */
  private double fast() {
    return least(Evidence::low) >= least(Evidence::count) ? DOUBLE : BELOW_KNEE_STEP;
  }

  private boolean isFarBelowKnee() {
    return knee == 0 || rate < NEAR_KNEE * knee;
  }

  /** The knee no longer counts; nor does one that is not there. */
  private boolean isFarBeyondKnee() {
    return rate >= DOUBLE * knee;
  }

  private void change(double newRate) {
    rate = newRate;
    changedNanos = nowNanos;
  }

  /** The least of the targets that have samples. */
  private long least(ToLongFunction<Evidence> figure) {
    return evidence.stream()
        .filter(one -> one.tailNanos().isPresent())
        .mapToLong(figure)
        .min()
        .orElse(0);
  }

  private double leastRoom() {
    return evidence.stream()
        .filter(one -> one.tailNanos().isPresent())
        .mapToDouble(Evidence::room)
        .min()
        .orElse(0);
  }

  /** The percentile as a multiple of its limit; a missed target comes first. */
  private double nearness(Evidence one) {
    OptionalLong tail = one.tailNanos();
    double ratio =
        tail.isPresent() ? (double) tail.getAsLong() / one.target().limit().toNanos() : -1;
    return one.showsMiss() ? Double.MAX_VALUE : ratio;
  }
}
