package io.weir.control;

import io.weir.control.OperationsSight.ChargedBytes;
import io.weir.procfs.OperationCounters;
import io.weir.rate.Rate;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The decision of an {@link OperationsCap}: which rate merges may have so that a disk does no more
 * operations than a limit. This is arithmetic on what was seen; it reads no clock and does not
 * wait.
 *
 * <p><b>What is unknown.</b> How many operations a byte of a merge costs changes by the phase of
 * the merge, and others use the disk too. With {@code m} operations a second at {@code u} bytes a
 * second, of which others do {@code o}, the rate that meets the limit {@code L} is {@code u * (L -
 * o) / (m - o)}. Where {@code o} is taken too low, repeating this comes closer step by step, from
 * one side; where it is taken too high, it would overshoot and could oscillate. So {@code o} is
 * what was seen while no merge ran, and at most half of {@code m}.
 *
 * <p><b>Down at once.</b> Operations are counted against an allowance that the limit fills, as in a
 * token bucket of {@link #BURST_SECONDS}, or of twice the square root of the limit, by which chance
 * lets the operations of a second differ. When it is used up, the rate is cut by the figures since
 * it was last full: after a jump these are a tick or two, in a slow drift many seconds. What was
 * done too much is paid back over {@link #PAYBACK_SECONDS}, so that it does not add up. Operations
 * at a time when merges did next to nothing are no evidence, unless they go on for {@link
 * #SURE_NANOS}: they are only paid back.
 *
 * <p><b>Up by steps.</b> {@link #STEP_NANOS} after the last change, if the allowance overflows and
 * merges use their rate, the rate goes most of the way to the formula's, at most by a quarter, or
 * twofold while there are less than half as many operations as the limit. While merges only read,
 * it goes as far as the operations that were counted prove to be safe. It goes all the way to the
 * formula's, or to what the {@link OperationPrices} allow if that is less, where those are known
 * well.
 *
 * <p><b>At once, when merges do other work.</b> A byte that is verified costs other operations than
 * one that is written. When merges go over from one to the other, the rate is converted by the
 * prices of both: in the same tick when bytes become dearer, and soon when they become cheaper
 * ({@link MergeWork}). Work that was not seen yet is taken to be dear. A rate is thus a number of
 * bytes of the work that merges do now, and what was seen during other work is converted likewise.
 *
 * <p><b>A change takes time to show.</b> Writes reach the disk after they were charged. So the
 * operations of the first {@link #SETTLE_NANOS} after a change are counted in the allowance, but
 * are no evidence against the new rate. So are those after merges went over to other work.
 *
 * <p><b>Units:</b> operations and bytes per second, nanoseconds of one clock. <b>Threads:</b> one
 * at a time.
 */
final class OperationsPolicy {

  /** How long a change of rate takes to show. */
  static final long SETTLE_NANOS = 300_000_000;

  /** The least time between two steps up. */
  static final long STEP_NANOS = 1_200_000_000;

  /** After a rest of merges of this length, the next one begins gently. */
  static final long REST_NANOS = 30_000_000_000L;

  /** What a merge may do at once, as a time of the limit. */
  static final double BURST_SECONDS = 0.15;

  /** The time over which too many operations are made up for. */
  static final double PAYBACK_SECONDS = 3;

  /** The lowest rate, however many operations others do. */
  static final long LEAST_BYTES_PER_SECOND = 65_536;

  private static final double LEAST_BURST = 8; // a disk gets its operations in groups
  private static final double MOST_DEBT_SECONDS = 5;
  private static final double LEAST_TARGET = 0.5; // of the limit, while paying back
  private static final long IDLE_NANOS = 500_000_000;
  private static final long OTHERS_ALONE_NANOS = 2_000_000_000; // what merges wrote is on the disk
  private static final double OTHERS_AVERAGE_NANOS = 5e9;
  private static final double MOST_OTHERS = 0.5; // of what is measured
  private static final long SURE_NANOS = 500_000_000;
  private static final long MOST_NANOS = 4_000_000_000L;
  private static final long ENOUGH = 200; // operations; their mean is then good to some percent
  private static final long SHOWN_NANOS = 10_000_000_000L;
  private static final double CERTAIN_SECONDS = 0.05; // weight of the expectation against one tick
  private static final double LEAST_CUT = 0.2;
  private static final double LITTLE_SHARE = 0.1; // of the limit
  private static final double MOST_UNUSED = 4;
  private static final double OVER_SHARE = 1.01;
  private static final double NEAR_SHARE = 0.99;
  private static final double STEP = 1.25;
  private static final double FAST_STEP = 2;
  private static final double MOST_OF_THE_WAY = 0.7;
  private static final double HALF = 0.5;
  private static final double MOSTLY = 0.9;
  private static final double DEVIATIONS = 2; // beyond which chance seldom goes
  private static final double NANOS_PER_SECOND = 1e9;

  private final double limit;
  private final double burst;
  private final SteadyFloor floor = new SteadyFloor(LEAST_BYTES_PER_SECOND);
  private final OperationsWindow recent = // since a change, as the next one
      new OperationsWindow(SURE_NANOS, MOST_NANOS, ENOUGH);
  private final OperationsWindow suspect = // since the allowance was full
      new OperationsWindow(SURE_NANOS, MOST_NANOS, ENOUGH);
  private final OperationsWindow shown =
      new OperationsWindow(SHOWN_NANOS, SHOWN_NANOS, Long.MAX_VALUE);
  private final OperationPrices prices = new OperationPrices();
  private final MergeWork work = new MergeWork();
  private double rate; // in the work since the last conversion
  private double convertedShareOfReads; // in that work
  private double changedRate; // as it was set by the last change
  private double changedShareOfReads; // in the work at that time
  private double allowance;
  private double allowanceAfterChange;
  private double others; // per second, while no merge runs
  private long nowNanos;
  private long changedNanos;
  private long convertedNanos;
  private long settlingFromNanos; // the first of the conversions that have not settled
  private long readsWhileSettling;
  private boolean readsAreTooMany; // in the last tick
  private long wroteNanos; // when a merge last wrote or waited
  private boolean resting = true;

  /**
   * Decides from now on.
   *
   * @param operationsPerSecond the limit
   */
  OperationsPolicy(long operationsPerSecond, long startNanos) {
    this.limit = operationsPerSecond;
    this.burst = Math.max(LEAST_BURST, Math.max(2 * Math.sqrt(limit), limit * BURST_SECONDS));
    this.rate =
        Math.max(LEAST_BYTES_PER_SECOND, limit * OperationPrices.BYTES_PER_OPERATION_AT_FIRST);
    allowance = burst;
    allowanceAfterChange = burst;
    nowNanos = startNanos;
    changedNanos = startNanos - SETTLE_NANOS;
    convertedNanos = changedNanos;
    settlingFromNanos = changedNanos;
    wroteNanos = startNanos - IDLE_NANOS;
  }

  /** The operations per second over the last ten seconds; empty when unknown. */
  OptionalDouble measuredPerSecond() {
    return shown.nanos() == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(shown.operationsPerSecond());
  }

  /**
   * The budget is paused: no rate is decided, and operations are counted nevertheless.
   *
   * @param operations since the last tick; empty when unknown
   */
  void paused(long untilNanos, Optional<OperationCounters> operations) {
    long elapsedNanos = untilNanos - nowNanos;
    notSeen(untilNanos);
    forget();
    if (operations.isPresent()) {
      long all = operations.get().all();
      shown.add(elapsedNanos, all, ChargedBytes.NOTHING, false);
      count(all, elapsedNanos);
      allowanceAfterChange = allowance;
    } else {
      shown.clear();
    }
  }

  /** Time passes until then without a decision. */
  private void notSeen(long untilNanos) {
    long passedNanos = untilNanos - nowNanos;
    nowNanos = untilNanos;
    changedNanos += passedNanos;
    convertedNanos += passedNanos;
    settlingFromNanos += passedNanos;
    wroteNanos += passedNanos;
  }

  /** Decides on one tick. */
  OperationsDecision decide(OperationsSight sight) {
    long elapsedNanos = sight.nowNanos() - nowNanos;
    double ceiling = sight.ceilingBytesPerSecond();
    double lowest = Math.min(ceiling, floor.at(sight.keepUpBytesPerSecond()));
    if (sight.operations().isEmpty()) {
      notSeen(sight.nowNanos());
      forget();
      shown.clear();
      rate = Math.clamp(rate, lowest, ceiling);
      return decision(OperationsReason.UNKNOWN);
    }
    nowNanos = sight.nowNanos();
    takeIn(sight, sight.operations().get(), elapsedNanos);
    OperationsReason reason = choose(sight, lowest, ceiling, elapsedNanos);
    prices.add(elapsedNanos, sight.operations().get(), sight.used());
    if (rate > ceiling) {
      reason = OperationsReason.OVER_CEILING;
      change(ceiling);
    } else if (rate < lowest) {
      reason = OperationsReason.KEEP_UP;
      change(lowest);
    }
    return decision(reason);
  }

  private OperationsDecision decision(OperationsReason reason) {
    return new OperationsDecision(reason, Math.max(Rate.MIN_BYTES_PER_SECOND, Math.round(rate)));
  }

  private void takeIn(OperationsSight sight, OperationCounters operations, long elapsedNanos) {
    long all = operations.all();
    shown.add(elapsedNanos, all, sight.used(), sight.delayed());
    count(all, elapsedNanos);
    if (!sight.used().isNothing() || sight.delayed()) {
      wroteNanos = nowNanos;
    }
    work.add(elapsedNanos, sight.used(), prices);
    readsWhileSettling += operations.reads();
    readsAreTooMany = areReadsTooMany();
    if (readsAreTooMany) {
      convertedNanos = nowNanos - SETTLE_NANOS - 1; // there is no more to wait for
    }
    if (isSettling()) {
      allowanceAfterChange = Math.min(burst, allowance);
      return;
    }
    if (allowance >= burst) {
      suspect.clear();
    } else {
      suspect.add(elapsedNanos, all, sight.used(), sight.delayed());
    }
    recent.add(elapsedNanos, all, sight.used(), sight.delayed());
  }

  /** What a byte costs in the work that merges do now. */
  private double priceNow() {
    return prices.ofOne(work.shareOfReads(prices));
  }

  /** Bytes per second, as many as cost the same in the work that merges do now. */
  private double usedPerSecond(OperationsWindow window) {
    return window.nanos() == 0
        ? 0
        : prices.of(window.readBytes(), window.writtenBytes()) / priceNow() / window.seconds();
  }

  /** The limit fills the allowance, and operations use it up. */
  private void count(long operations, long elapsedNanos) {
    double filled = allowance + limit * elapsedNanos / NANOS_PER_SECOND;
    allowance = Math.clamp(filled - operations, -MOST_DEBT_SECONDS * limit, burst);
  }

  private boolean isSettling() {
    return nowNanos - changedNanos <= SETTLE_NANOS || nowNanos - convertedNanos <= SETTLE_NANOS;
  }

  /**
   * After a conversion, writes of before may still come; but reads are charged when they are done.
   */
  private boolean areReadsTooMany() {
    double seconds = (nowNanos - settlingFromNanos) / NANOS_PER_SECOND;
    return nowNanos - convertedNanos <= SETTLE_NANOS
        && nowNanos - changedNanos > SETTLE_NANOS
        && readsWhileSettling > limit * seconds + burst;
  }

  private OperationsReason choose(
      OperationsSight sight, double lowest, double ceiling, long elapsedNanos) {
    if (nowNanos - wroteNanos >= IDLE_NANOS) {
      return idle(sight, elapsedNanos);
    }
    boolean begins = resting;
    resting = false;
    double start =
        Math.clamp(
            limit * OperationPrices.BYTES_PER_OPERATION_AT_FIRST,
            lowest,
            Math.max(lowest, ceiling));
    if (begins) {
      keep();
    }
    if (begins && rate > start) {
      change(start);
      return OperationsReason.MERGES_BEGIN;
    }
    double before = rate;
    convert(lowest, ceiling);
    double converted = rate;
    OperationsReason reason = judge(lowest, ceiling);
    return converted != before && rate == converted ? OperationsReason.OTHER_WORK : reason;
  }

  private OperationsReason judge(double lowest, double ceiling) {
    if (isSettling()) {
      return OperationsReason.SETTLING;
    }
    if (isOver()) {
      return isNotOfMerges() ? OperationsReason.PAYING_BACK : cut(lowest);
    }
    if (allowance < 0) {
      return OperationsReason.PAYING_BACK;
    }
    return rate >= ceiling ? OperationsReason.AT_CEILING : climb(ceiling);
  }

  /** As many operations as since the last change, in bytes of the work that merges do now. */
  private void convert(double lowest, double ceiling) {
    double before = prices.ofOne(convertedShareOfReads);
    double now = priceNow();
    if (now < before && readsAreTooMany) {
      return; // they do not cost so little any more
    }
    if (MergeWork.isOther(now, before)) {
      double converted = changedRate * prices.ofOne(changedShareOfReads) / now;
      rate = Math.clamp(converted, lowest, Math.max(lowest, ceiling));
      convertedShareOfReads = work.shareOfReads(prices);
      if (nowNanos - convertedNanos > SETTLE_NANOS) {
        settlingFromNanos = nowNanos;
        readsWhileSettling = 0;
      }
      convertedNanos = nowNanos;
      if (!work.isMixed()) {
        recent.clear();
      }
    }
  }

  private OperationsReason idle(OperationsSight sight, long elapsedNanos) {
    if (!sight.mergesRun()) {
      allowance = Math.max(0, allowance); // no merge's debt
    }
    allowanceAfterChange = allowance;
    suspect.clear();
    if (elapsedNanos > 0 && !sight.mergesRun() && nowNanos - wroteNanos >= OTHERS_ALONE_NANOS) {
      double measured = sight.operations().orElseThrow().all() * NANOS_PER_SECOND / elapsedNanos;
      others += (measured - others) * -Math.expm1(-elapsedNanos / OTHERS_AVERAGE_NANOS);
    }
    resting |= nowNanos - wroteNanos >= REST_NANOS;
    return OperationsReason.NO_MERGES;
  }

  /** A jump is evident at once; a small excess only after a while. */
  private boolean isOver() {
    if (allowance >= 0 || suspect.nanos() == 0) {
      return false;
    }
    return allowance < Math.min(0, allowanceAfterChange - burst)
        || suspect.nanos() >= SURE_NANOS && suspect.operationsPerSecond() > OVER_SHARE * target();
  }

  /**
   * Whether merges did next to nothing in the short time that had too many operations. Those are of
   * something else, such as files that are opened, or of bytes that the next tick charges. So they
   * say nothing about the rate; if they go on, merges make room for them.
   */
  private boolean isNotOfMerges() {
    double ofMerges = prices.of(suspect.readBytes(), suspect.writtenBytes());
    return suspect.nanos() < SURE_NANOS && ofMerges < LITTLE_SHARE * limit * suspect.seconds();
  }

  /** What is to be done per second: less than the limit, for what was too much. */
  private double target() {
    return Math.max(LEAST_TARGET * limit, limit + Math.min(0, allowance) / PAYBACK_SECONDS);
  }

  private OperationsReason cut(double lowest) {
    if (rate <= lowest) {
      forget();
      allowanceAfterChange = allowance;
      return OperationsReason.OVER_AT_FLOOR;
    }
    double target = target();
    // As if there had been a moment more, at the target: one tick is not much evidence.
    double certain = CERTAIN_SECONDS * limit;
    double measured = (suspect.operations() + certain) / (suspect.seconds() + certain / target);
    double aside = others(measured);
    double factor = Math.clamp((target - aside) / (measured - aside), LEAST_CUT, 1);
    double used = Math.clamp(usedPerSecond(suspect), rate / MOST_UNUSED, rate);
    change(Math.max(lowest, used * factor));
    return OperationsReason.OVER;
  }

  private double others(double measured) {
    return Math.min(others, MOST_OTHERS * measured);
  }

  private OperationsReason climb(double ceiling) {
    if (nowNanos - changedNanos < STEP_NANOS || recent.nanos() < SURE_NANOS) {
      return OperationsReason.SETTLING;
    }
    double measured = recent.operationsPerSecond();
    if (allowance < burst && measured > NEAR_SHARE * limit || measured >= limit) {
      return OperationsReason.AT_LIMIT;
    }
    double used = usedPerSecond(recent);
    if (!recent.isDelayed() || used < HALF * rate) {
      return OperationsReason.UNUSED;
    }
    double aside = others(measured);
    double step = measured < HALF * limit ? FAST_STEP : STEP;
    double most = Math.max(step * rate, provenByReads(used, aside));
    double wanted = measured <= aside ? most : used * (limit - aside) / (measured - aside);
    if (wanted <= rate) {
      return OperationsReason.AT_LIMIT;
    }
    double next = Math.min(most, rate + MOST_OF_THE_WAY * (wanted - rate));
    change(Math.min(ceiling, Math.max(next, Math.min(wanted, rateByPrices()))));
    return OperationsReason.ROOM;
  }

  /**
   * A rate that is safe by what was counted; 0 unless merges read. Reads are counted when they are
   * charged, so even few tell how many there can be. Writes come later.
   */
  private double provenByReads(double used, double aside) {
    if (recent.shareOfReads() < MOSTLY) {
      return 0;
    }
    double counted = recent.operations();
    double possible =
        counted + DEVIATIONS * Math.sqrt(counted) + DEVIATIONS; // at most, but for chance
    return used * (limit - aside) * recent.seconds() / possible;
  }

  /** The rate that the prices allow; 0 while they are not known well. */
  private double rateByPrices() {
    return prices.areKnownWell(work.shareOfReads(prices)) ? limit / priceNow() : 0;
  }

  private void change(double newRate) {
    rate = newRate;
    keep();
    changedNanos = nowNanos;
    forget();
  }

  /** The rate is for the work that merges do now. */
  private void keep() {
    changedRate = rate;
    changedShareOfReads = work.shareOfReads(prices);
    convertedShareOfReads = changedShareOfReads;
  }

  private void forget() {
    recent.clear();
    suspect.clear();
  }
}
