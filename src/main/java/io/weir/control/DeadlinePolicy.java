package io.weir.control;

import io.weir.control.DeadlineSnapshot.Outlook;
import io.weir.rate.Rate;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The rate at which forced merges are done by a deadline, and not earlier than they need to be:
 * arithmetic on their progress, without a clock.
 *
 * <p>It spreads what is left over the time that is left, again and again, as a database spreads its
 * checkpoint. Merges that are behind, for whatever reason, get a higher rate at the next look.
 *
 * <p>It plans to be done after nine tenths of the time. The last tenth is a reserve for bytes that
 * no estimate has: a compound file, an output larger than expected, the commit. They may be as many
 * as the merges wrote in all, so the rate of the reserve has room for those in half of the time
 * that is left. After the deadline there is no rate.
 *
 * <p>The remaining time is the planned one while the rate holds merges back: the plan will make it
 * true. Where it does not, or they do less than half of what the plan needs, they are as fast as
 * they can be, and the remaining time comes from their speed: three quarters of it that since the
 * start, one quarter that of the last twenty seconds. A phase without bytes, such as a graph of
 * vectors, looks like a halt for a while. Once the estimate is written, the remaining time is
 * unknown.
 *
 * <p><b>Units:</b> bytes, nanoseconds of one clock. <b>Threads:</b> one at a time.
 */
final class DeadlinePolicy {

  /**
   * How far the forced merges are.
   *
   * @param doneBytes bytes in lasting files
   * @param estimatedBytes bytes expected in them
   * @param leftBytes bytes still expected, summed over the merges
   * @param chargedBytes all bytes written so far, temporary files included
   * @param delayed whether their rate held them back since the last look
   */
  record Progress(
      long doneBytes, long estimatedBytes, long leftBytes, long chargedBytes, boolean delayed) {}

  static final long LEAST_BYTES_PER_SECOND = 65_536;

  private static final double PLANNED_SHARE = 0.9;
  private static final double RESERVE_SHARE = 0.5; // of the time left, after the planned end
  private static final double MOST_OVERHEAD = 3;
  private static final long SHOWS_OVERHEAD_BYTES = 16 << 20;
  private static final double HALF = 0.5;
  private static final double FOLLOWS_SHARE = 0.5; // of the speed that the plan needs
  private static final double RECENT_SHARE = 0.25;
  private static final double AVERAGE_NANOS = 20e9;
  private static final long LEAST_SEEN_NANOS = 5_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;

  private final long deadlineNanos;
  private boolean running;
  private long beganNanos; // when the merges were first seen, as all below
  private long beganBytes;
  private long plannedNanos;
  private long seenNanos;
  private long seenBytes;
  private double recentPerSecond;
  private double delayedShare;
  private boolean atRisk; // as of the last decision

  DeadlinePolicy(long deadlineNanos) {
    this.deadlineNanos = deadlineNanos;
  }

  /** Decides; {@code progress} is empty when no forced merge runs or its size is unknown. */
  DeadlineSnapshot decide(long nowNanos, Optional<Progress> progress) {
    if (progress.isEmpty()) {
      running = false;
      atRisk = deadlineNanos - nowNanos <= 0;
      return new DeadlineSnapshot(
          Outlook.NO_MERGE,
          OptionalDouble.empty(),
          Optional.empty(),
          Duration.ofNanos(deadlineNanos - nowNanos),
          // Until its size is known, a merge that begins is not to run ahead.
          nowNanos - deadlineNanos < 0 ? Rate.perSecond(LEAST_BYTES_PER_SECOND) : Rate.UNLIMITED);
    }
    Progress now = progress.get();
    if (!running || now.doneBytes() < seenBytes) {
      begin(nowNanos, now);
    }
    see(nowNanos, now);
    Optional<Duration> remaining = remaining(nowNanos, now);
    atRisk = remaining.map(Duration::toNanos).orElse(0L) > plannedNanos - nowNanos;
    double fraction =
        now.estimatedBytes() > 0
            ? (double) (now.estimatedBytes() - now.leftBytes()) / now.estimatedBytes()
            : 1;
    return new DeadlineSnapshot(
        outlook(nowNanos, remaining),
        OptionalDouble.of(fraction),
        remaining,
        Duration.ofNanos(deadlineNanos - nowNanos),
        rate(nowNanos, now));
  }

  /**
   * Whether the merges need the reserve: at their speed they will be done after the planned time,
   * or that has passed. Then they have no time for anything else.
   */
  boolean isAtRisk() {
    return atRisk;
  }

  private Outlook outlook(long nowNanos, Optional<Duration> remaining) {
    long untilNanos = deadlineNanos - nowNanos;
    if (untilNanos <= 0) {
      return Outlook.LATE;
    }
    return remaining
        .map(left -> left.toNanos() <= untilNanos ? Outlook.ON_TIME : Outlook.LATE)
        .orElse(Outlook.UNKNOWN);
  }

  private void begin(long nowNanos, Progress now) {
    running = true;
    beganNanos = nowNanos;
    beganBytes = now.doneBytes();
    plannedNanos = nowNanos + Math.round((deadlineNanos - nowNanos) * PLANNED_SHARE);
    seenNanos = nowNanos;
    seenBytes = now.doneBytes();
    recentPerSecond = 0;
    delayedShare = 1;
  }

  private void see(long nowNanos, Progress now) {
    long elapsedNanos = nowNanos - seenNanos;
    if (elapsedNanos <= 0) {
      return;
    }
    double weight = 1 - Math.exp(-elapsedNanos / AVERAGE_NANOS);
    double perSecond = (now.doneBytes() - seenBytes) * NANOS_PER_SECOND / elapsedNanos;
    // At first it is the mean of all looks, or the first one would weigh too much.
    double ofAll = (double) elapsedNanos / (nowNanos - beganNanos);
    recentPerSecond += Math.max(weight, ofAll) * (perSecond - recentPerSecond);
    delayedShare += weight * ((now.delayed() ? 1 : 0) - delayedShare);
    seenNanos = nowNanos;
    seenBytes = now.doneBytes();
  }

  private Rate rate(long nowNanos, Progress now) {
    long planLeftNanos = plannedNanos - nowNanos;
    return now.leftBytes() > 0 && planLeftNanos > 0
        ? rate(now.leftBytes() * overhead(now), planLeftNanos)
        : rate(
            Math.max(now.estimatedBytes(), now.doneBytes()) * overhead(now),
            (deadlineNanos - nowNanos) * RESERVE_SHARE);
  }

  private static double overhead(Progress now) {
    return now.doneBytes() < SHOWS_OVERHEAD_BYTES
        ? 1
        : Math.clamp((double) now.chargedBytes() / now.doneBytes(), 1, MOST_OVERHEAD);
  }

  private static Rate rate(double leftBytes, double leftNanos) {
    if (leftNanos <= 0) {
      return Rate.UNLIMITED;
    }
    double perSecond = leftBytes * NANOS_PER_SECOND / leftNanos;
    return perSecond >= Rate.MAX_BYTES_PER_SECOND
        ? Rate.UNLIMITED
        : Rate.perSecond(Math.max(LEAST_BYTES_PER_SECOND, Math.round(perSecond)));
  }

  private Optional<Duration> remaining(long nowNanos, Progress now) {
    if (nowNanos - beganNanos < LEAST_SEEN_NANOS || now.leftBytes() == 0) {
      return Optional.empty();
    }
    long planLeftNanos = plannedNanos - nowNanos;
    double needed = now.leftBytes() * NANOS_PER_SECOND / Math.max(1, planLeftNanos);
    double mean = (now.doneBytes() - beganBytes) * NANOS_PER_SECOND / (nowNanos - beganNanos);
    // Between two phases it hardly writes for a while, and makes up for that.
    boolean follows =
        delayedShare >= HALF && Math.max(recentPerSecond, mean) >= FOLLOWS_SHARE * needed;
    if (follows && planLeftNanos > 0) {
      return Optional.of(Duration.ofNanos(planLeftNanos));
    }
    double perSecond = mean + RECENT_SHARE * (recentPerSecond - mean);
    return perSecond > 0
        ? Optional.of(Duration.ofNanos((long) (now.leftBytes() / perSecond * NANOS_PER_SECOND)))
        : Optional.empty();
  }
}
