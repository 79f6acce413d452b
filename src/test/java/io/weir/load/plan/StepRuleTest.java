package io.weir.load.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.load.QuickStep;
import io.weir.run.LatencySummary;
import io.weir.run.StepFigures;
import io.weir.run.StepOutcome;
import io.weir.run.Values;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StepRuleTest {

  private static final StepRule RULE = new StepRule(Duration.ofMillis(100));
  private static final LatencySummary QUICK = new LatencySummary(1000, 5, 5, 6, 40, 200);
  private static final LatencySummary NONE = LatencySummary.EMPTY;
  private static final LatencySummary SLOW = new LatencySummary(1000, 5, 5, 6, 101, 200);

  private static Values seen(
      long failed,
      long unanswered,
      long setAside,
      long secondHalfAnswered,
      LatencySummary latency) {
    return QuickStep.of(1000)
        .put(StepFigures.FAILED, failed)
        .put(StepFigures.UNANSWERED, unanswered)
        .put(StepFigures.SET_ASIDE, setAside)
        .put(StepFigures.SECOND_HALF_ANSWERED, secondHalfAnswered)
        .put(StepFigures.LATENCY, latency)
        .build();
  }

  @Test
  void judge_answersInTime_isKept() {
    assertEquals(StepOutcome.KEPT, RULE.judge(seen(0, 0, 0, 500, QUICK)));
  }

  @Test
  void judge_p99OverTheLimit_isOverTheLimit() {
    assertEquals(StepOutcome.OVER_LIMIT, RULE.judge(seen(0, 0, 0, 500, SLOW)));
  }

  /** Of 500 due, 67 fewer are what a Poisson schedule explains. */
  @Test
  void judge_fewerAnswersThanChanceExplains_isBehind() {
    assertEquals(StepOutcome.KEPT, RULE.judge(seen(0, 0, 0, 433, QUICK)));
    assertEquals(StepOutcome.BEHIND, RULE.judge(seen(0, 0, 0, 432, QUICK)));
    assertEquals(StepOutcome.BEHIND, RULE.judge(seen(0, 1, 0, 500, QUICK)));
  }

  @Test
  void judge_refusals_areErrors() {
    assertEquals(StepOutcome.KEPT, RULE.judge(seen(10, 0, 0, 500, QUICK)));
    assertEquals(StepOutcome.ERRORS, RULE.judge(seen(11, 0, 0, 500, QUICK)));
  }

  /** Before all else: of such a step nothing is known. */
  @Test
  void judge_manySetAside_isTheClients() {
    assertEquals(StepOutcome.KEPT, RULE.judge(seen(0, 0, 50, 500, QUICK)));
    assertEquals(StepOutcome.CLIENT, RULE.judge(seen(500, 1, 51, 100, SLOW)));
  }

  /** A step of 40 requests once ended a search as "client saturated", for three of them. */
  @Test
  void judge_fewSetAsideAtALowLoad_isNotTheClients() {
    Values few = few(40, 20, QUICK);

    assertEquals(StepOutcome.KEPT, RULE.judge(few));
  }

  /** Of no request at all, and of none that counts, nothing is known. */
  @Test
  void judge_nothingMeasured_isNotKept() {
    assertEquals(StepOutcome.CLIENT, RULE.judge(few(0, 0, NONE)));
    assertEquals(StepOutcome.CLIENT, RULE.judge(few(15, 15, NONE)));
    assertEquals(StepOutcome.CLIENT, RULE.judge(few(15, 8, QUICK)));
    assertEquals(StepOutcome.KEPT, RULE.judge(few(15, 7, QUICK)));
  }

  private static Values few(long due, long setAside, LatencySummary latency) {
    return QuickStep.of(due)
        .put(StepFigures.SET_ASIDE, setAside)
        .put(StepFigures.LATENCY, latency)
        .build();
  }

  @Test
  void limit_outOfRange_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> new StepRule(Duration.ZERO));
    // An answer that takes longer counts as none.
    assertThrows(IllegalArgumentException.class, () -> new StepRule(Duration.ofSeconds(31)));
  }
}
