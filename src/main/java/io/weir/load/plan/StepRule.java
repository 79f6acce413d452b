package io.weir.load.plan;

import io.weir.run.LatencySummary;
import io.weir.run.StepFigures;
import io.weir.run.StepOutcome;
import io.weir.run.Values;
import java.time.Duration;

/**
 * Whether a step was too much.
 *
 * <p>A server has fallen behind when it answered fewer requests in the second half of the step than
 * were due in it, by more than {@value #BEHIND_PERCENT} % and by more than chance explains: three
 * standard deviations of the Poisson schedule. It is no matter how slow the answers are; the limit
 * judges that.
 *
 * @param limit what the 99th percentile must not pass
 */
public record StepRule(Duration limit) {

  /** How long the client waits for answers after it has sent the last request of a step. */
  public static final Duration DRAIN = Duration.ofSeconds(30);

  private static final int BEHIND_PERCENT = 5;
  private static final double DEVIATIONS = 3;
  private static final double MOST_FAILED = 0.01;

  /** With more, what is left is no fair sample of the step. */
  private static final double MOST_SET_ASIDE = 0.05;

  /** At a low load a few are one disturbance of the machine, and no full client. */
  private static final int FEW_SET_ASIDE = 20;

  /** However few there are. */
  private static final double MOST_OF_FEW_SET_ASIDE = 0.5;

  /** Refuses a limit that is none, and one that is longer than the client waits for answers. */
  public StepRule {
    if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(DRAIN) > 0) {
      throw new IllegalArgumentException(
          "limit must be from 1 ms to %d s: %d ms".formatted(DRAIN.toSeconds(), limit.toMillis()));
    }
  }

  /** What became of a step, by what the client saw of it. */
  public StepOutcome judge(Values seen) {
    if (seen.require(StepFigures.INTERRUPTED)) {
      return StepOutcome.INTERRUPTED;
    }
    long due = seen.require(StepFigures.DUE);
    long failed = seen.require(StepFigures.FAILED);
    LatencySummary latency = seen.require(StepFigures.LATENCY);
    double most =
        Math.min(MOST_OF_FEW_SET_ASIDE * due, Math.max(FEW_SET_ASIDE, MOST_SET_ASIDE * due));
    boolean nothingMeasured = latency.count() == 0 && failed == 0;
    if (nothingMeasured || seen.require(StepFigures.SET_ASIDE) > most) {
      return StepOutcome.CLIENT;
    }
    if (failed > MOST_FAILED * due) {
      return StepOutcome.ERRORS;
    }
    long secondHalfDue = seen.require(StepFigures.SECOND_HALF_DUE);
    double allowed =
        Math.max(BEHIND_PERCENT / 100.0 * secondHalfDue, DEVIATIONS * Math.sqrt(secondHalfDue));
    if (seen.require(StepFigures.UNANSWERED) > 0
        || seen.require(StepFigures.SECOND_HALF_ANSWERED) < secondHalfDue - allowed) {
      return StepOutcome.BEHIND;
    }
    return latency.p99Millis() > limit.toNanos() / 1e6 ? StepOutcome.OVER_LIMIT : StepOutcome.KEPT;
  }
}
