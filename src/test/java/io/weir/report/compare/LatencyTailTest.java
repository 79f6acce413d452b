package io.weir.report.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import io.weir.stress.QuickResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A percentile is named when it can be known. */
class LatencyTailTest {

  private static Part arm(String name, int round, long reopens) {
    QuickResult arm = new QuickResult();
    arm.values.put(ArmFigures.REOPEN, Phase.DURING, new LatencySummary(reopens, 1, 1, 1, 1, 1));
    return arm.result(name, round);
  }

  @ParameterizedTest
  @CsvSource({
    "0, REOPEN_MAX",
    "99, REOPEN_MAX",
    "100, REOPEN_P90",
    "999, REOPEN_P90",
    "1000, REOPEN_P99"
  })
  void of_soManyReopens_isWhatTheyShow(long reopens, RunFigure figure) {
    assertEquals(figure, LatencyTail.ofReopens(List.of(arm("a", 1, reopens))).figure());
  }

  @Test
  void of_rounds_countsThemTogether_andOfArmsTheOneWithTheFewest() {
    assertEquals(
        new LatencyTail(RunFigure.REOPEN_P99, "reopen p99", 1000),
        LatencyTail.ofReopens(List.of(arm("a", 1, 400), arm("b", 1, 5000), arm("a", 2, 600))));
    assertEquals(
        new LatencyTail(RunFigure.REOPEN_P90, "reopen p90", 150),
        LatencyTail.ofReopens(List.of(arm("a", 1, 5000), arm("b", 1, 150))));
  }

  @Test
  void ofSearches_countsThoseOfThePhase() {
    QuickResult arm = new QuickResult();
    arm.values
        .put(ArmFigures.SEARCH.latency(), Phase.DURING, new LatencySummary(1000, 1, 1, 1, 1, 1))
        .put(ArmFigures.SEARCH.latency(), Phase.AFTER, new LatencySummary(100, 1, 1, 1, 1, 1));
    List<Part> arms = List.of(arm.result("a", 1));
    assertEquals(
        new LatencyTail(RunFigure.SEARCH_P99, "search p99", 1000),
        LatencyTail.ofSearches(arms, Phase.DURING));
    assertEquals(
        new LatencyTail(RunFigure.SEARCH_P90, "search p90", 100),
        LatencyTail.ofSearches(arms, Phase.AFTER));
    assertEquals(RunFigure.SEARCH_MAX, LatencyTail.ofSearches(arms, Phase.BEFORE).figure());
  }

  /** One round in which reopens took three times as long was another machine, or another load. */
  @Test
  void of_roundsThatDisagree_doesNotCountThemTogether() {
    QuickResult slower = new QuickResult();
    slower.values.put(ArmFigures.REOPEN, Phase.DURING, new LatencySummary(600, 3, 3, 3, 3, 3));
    assertEquals(
        new LatencyTail(RunFigure.REOPEN_P90, "reopen p90", 400),
        LatencyTail.ofReopens(List.of(arm("a", 1, 400), slower.result("a", 2))));
  }

  @Test
  void of_anArmThatFailed_leavesItOut() {
    QuickResult failed = new QuickResult();
    failed.status = Status.FAILED;
    assertEquals(
        RunFigure.REOPEN_P99,
        LatencyTail.ofReopens(List.of(arm("a", 1, 2000), failed.result("b", 1))).figure());
    assertEquals(RunFigure.REOPEN_MAX, LatencyTail.ofReopens(List.of()).figure());
  }
}
