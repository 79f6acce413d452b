package io.weir.control;

import static io.weir.figure.Shown.EVENT;
import static io.weir.figure.SourceFigure.known;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.words;
import static io.weir.figure.Unit.BYTES_PER_SECOND;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.NANOS;

import io.weir.figure.SourceFigure;
import io.weir.figure.SourceFigures;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

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

  /** What is shown of a decision. */
  public static final SourceFigures<GoalDecision> FIGURES =
      SourceFigures.of(
          "lucene.merge.goal",
          words(
              "target",
              "The target that decided, or is closest to being missed",
              (GoalDecision decision) -> decision.target.toString()),
          words(
              "reason",
              "Why the rate was changed or left as it was",
              (GoalDecision decision) ->
                  decision.reason.name().toLowerCase(Locale.ROOT).replace('_', '-')),
          rate("before", "Rate per second before", GoalDecision::beforeBytesPerSecond),
          rate("after", "Rate per second from now on", GoalDecision::afterBytesPerSecond),
          rate("floor", "Lowest rate per second", GoalDecision::floorBytesPerSecond),
          rate("used", "What the budget granted per second", GoalDecision::usedBytesPerSecond),
          known(
              "seen",
              NANOS,
              "The target's percentile over the last seconds; -1 without samples",
              GoalDecision::tailNanos),
          level(
              "samples", COUNT, "Samples since the last change of the rate", GoalDecision::samples),
          level("misses", COUNT, "Those that took longer than the limit", GoalDecision::misses));

  private static SourceFigure<GoalDecision> rate(
      String id, String text, ToLongFunction<GoalDecision> reads) {
    return level(id, BYTES_PER_SECOND, text, reads).named(EVENT, id + "RateBytes");
  }

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
