package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What is late is paid for by what is in time. */
class ErrorBudgetTest {

  private static final double P99 = 0.01;
  private static final double MEDIAN = 0.5;

  private final ErrorBudget budget = new ErrorBudget(P99);

  private void inTime(int ticks) {
    for (int tick = 0; tick < ticks; tick++) {
      budget.add(5, 0);
    }
  }

  @Test
  void newOne_isNeitherSpentNorCoversASearch() {
    budget.add(5, 0);

    assertFalse(budget.isSpent());
    assertFalse(budget.coversASearch());
  }

  /** One late operation takes the 99 others of a p99. */
  @Test
  void lateOne_isPaidForByNinetyNineOthers() {
    budget.add(5, 1);
    inTime(18);
    assertTrue(budget.isSpent(), "after 94 others");

    inTime(1);
    assertFalse(budget.isSpent(), "after 99 others");
  }

  /** A median allows every other one. */
  @Test
  void median_isPaidForByOneOther() {
    ErrorBudget ofMedian = new ErrorBudget(MEDIAN);
    ofMedian.add(4, 3);
    assertTrue(ofMedian.isSpent());

    ofMedian.add(2, 0);
    assertFalse(ofMedian.isSpent());
  }

  /** Four ticks of five late operations cost 19.8, what 396 ticks of five in time save. */
  @Test
  void search_isCoveredWhenFourTicksOfLateOperationsAre() {
    inTime(395);
    assertFalse(budget.coversASearch());

    inTime(2); // one more, for rounding
    assertTrue(budget.coversASearch());

    for (int tick = 0; tick < 3; tick++) {
      budget.add(5, 5);
    }
    assertFalse(budget.isSpent(), "after a failed search");
    assertFalse(budget.coversASearch(), "another one");
  }

  /** Hours of good operations do not allow minutes of bad ones, nor the other way round. */
  @Test
  void savingsAndDebts_areBounded() {
    inTime(100_000);
    for (int tick = 0; tick < 5; tick++) {
      budget.add(5, 5);
    }
    assertTrue(budget.isSpent(), "five ticks are more than the most that is saved");

    for (int tick = 0; tick < 1_000; tick++) {
      budget.add(5, 5);
    }
    inTime(801);
    assertFalse(budget.isSpent(), "a debt is at most eight ticks");
  }

  @Test
  void debt_halvesInTwoMinutes() {
    budget.add(5, 3);
    budget.pass((long) ErrorBudget.HALF_LIFE_NANOS);
    inTime(29);
    assertTrue(budget.isSpent(), "2.95 became 1.475, and 1.45 are paid");

    inTime(1);
    assertFalse(budget.isSpent());
  }

  @Test
  void forgive_cancelsADebtAndKeepsSavings() {
    budget.add(5, 3);
    budget.forgive();
    assertFalse(budget.isSpent());

    inTime(400);
    budget.forgive();
    assertTrue(budget.coversASearch());
  }
}
