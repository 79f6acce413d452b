package io.weir.load;

import io.weir.run.LatencySummary;
import io.weir.run.StepFigures;
import io.weir.run.Values;

/** What a client saw of a step of ten seconds, to which a test adds what it is about. */
public final class QuickStep {

  private static final LatencySummary QUICK = new LatencySummary(1000, 5, 5, 6, 40, 200);

  private QuickStep() {}

  /** Every request was answered quickly, and half of them were due in the second half. */
  public static Values.Builder of(long due) {
    return Values.builder()
        .put(StepFigures.SECONDS, 10.0)
        .put(StepFigures.DUE, due)
        .put(StepFigures.ANSWERED, due)
        .put(StepFigures.FAILED, 0L)
        .put(StepFigures.UNANSWERED, 0L)
        .put(StepFigures.SET_ASIDE, 0L)
        .put(StepFigures.SECOND_HALF_DUE, due / 2)
        .put(StepFigures.SECOND_HALF_ANSWERED, due / 2)
        .put(StepFigures.LATENCY, QUICK)
        .put(StepFigures.SENT_LATE, QUICK)
        .put(StepFigures.INTERRUPTED, false);
  }
}
