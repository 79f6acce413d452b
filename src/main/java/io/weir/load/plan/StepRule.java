package io.weir.load.plan;

import io.weir.load.result.ClientView;
import io.weir.load.result.StepOutcome;
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
    if (limit.compareTo(Duration.ofMillis(1)) < 0 || limit.compareTo(ClientView.DRAIN) > 0) {
      throw new IllegalArgumentException(
          "limit must be from 1 ms to %d s: %d ms"
              .formatted(ClientView.DRAIN.toSeconds(), limit.toMillis()));
    }
  }

  /** What became of a step. */
  public StepOutcome judge(ClientView seen) {
    if (seen.interrupted()) {
      return StepOutcome.INTERRUPTED;
    }
    double most =
        Math.min(
            MOST_OF_FEW_SET_ASIDE * seen.due(),
            Math.max(FEW_SET_ASIDE, MOST_SET_ASIDE * seen.due()));
    boolean nothingMeasured = seen.latency().count() == 0 && seen.failed() == 0;
    if (nothingMeasured || seen.setAside() > most) {
      return StepOutcome.CLIENT;
    }
    if (seen.failed() > MOST_FAILED * seen.due()) {
      return StepOutcome.ERRORS;
    }
    double allowed =
        Math.max(
            BEHIND_PERCENT / 100.0 * seen.secondHalfDue(),
            DEVIATIONS * Math.sqrt(seen.secondHalfDue()));
    if (seen.unanswered() > 0 || seen.secondHalfAnswered() < seen.secondHalfDue() - allowed) {
      return StepOutcome.BEHIND;
    }
    return seen.latency().p99Millis() > limit.toNanos() / 1e6
        ? StepOutcome.OVER_LIMIT
        : StepOutcome.KEPT;
  }
}
