package io.weir.stress.result;

import java.util.Optional;

/**
 * Whether the forced merge was done by its deadline, and whether that could be foreseen.
 *
 * @param seconds the time that the merge had
 * @param spareSeconds how long before the deadline it ended; negative when it ended later
 * @param afterThird what was predicted after a third of the merge; empty when nothing was predicted
 *     then
 */
public record DeadlineResult(double seconds, double spareSeconds, Optional<Prediction> afterThird) {

  /**
   * How long a merge would still take, as predicted and as it was.
   *
   * @param predictedSeconds as the deadline predicted it
   * @param actualSeconds as it was
   * @param offPercent the difference in percent of what it was, never negative
   */
  public record Prediction(double predictedSeconds, double actualSeconds, double offPercent) {

    private static final double WHOLE_PERCENT = 100;

    /** With the difference; {@code actualSeconds} must be above 0. */
    public static Prediction of(double predictedSeconds, double actualSeconds) {
      return new Prediction(
          predictedSeconds,
          actualSeconds,
          WHOLE_PERCENT * Math.abs(predictedSeconds - actualSeconds) / actualSeconds);
    }
  }
}
