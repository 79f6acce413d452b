package io.weir.control;

import java.util.Locale;
import java.util.OptionalLong;

/**
 * One decision of a {@link LatencyGoal}, and what it saw.
 *
 * @param atNanos the time on the goal's clock; only differences are meaningful
 * @param reason why
 * @param beforeBytesPerSecond the rate before
 * @param afterBytesPerSecond the rate from then on
 * @param floorBytesPerSecond the lowest rate at that time
 * @param ceilingBytesPerSecond the highest rate; {@link io.weir.rate.Rate#MAX_BYTES_PER_SECOND}
 *     stands for no cap
 * @param usedBytesPerSecond what the budget granted, over about a second
 * @param target the target that decided, or is closest to being missed
 * @param tailNanos its percentile over the last ten to twenty seconds; empty without samples
 * @param samples the number of samples since the rate changed
 * @param misses those that took longer than the limit
 */
public record GoalDecision(
    long atNanos,
    GoalReason reason,
    long beforeBytesPerSecond,
    long afterBytesPerSecond,
    long floorBytesPerSecond,
    long ceilingBytesPerSecond,
    long usedBytesPerSecond,
    LatencyTarget target,
    OptionalLong tailNanos,
    long samples,
    long misses) {

  /** Whether the rate changed. */
  public boolean isChange() {
    return beforeBytesPerSecond != afterBytesPerSecond;
  }

  /** One sentence with the figures. */
  public String describe() {
    String rate =
        isChange()
            ? Figures.megabytes(beforeBytesPerSecond)
                + " -> "
                + Figures.megabytes(afterBytesPerSecond)
            : Figures.megabytes(afterBytesPerSecond);
    String tail =
        tailNanos.isPresent()
            ? target.percentile() + " " + Figures.millis(tailNanos.getAsLong())
            : "no samples";
    return String.format(
        Locale.ROOT,
        "%s MB/s: %s (%s, %s; %d of %d over the limit; floor %s, used %s MB/s)",
        rate,
        reason.text(),
        target,
        tail,
        misses,
        samples,
        Figures.megabytes(floorBytesPerSecond),
        Figures.megabytes(usedBytesPerSecond));
  }
}
