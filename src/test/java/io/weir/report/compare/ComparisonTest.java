package io.weir.report.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.compare.Difference.Verdict;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.run.Work;
import io.weir.stress.QuickMerge;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private final List<Part> arms = new ArrayList<>();

  @Test
  void of_roundsThatSwingTogether_findsWhatPairsShow() {
    double[] machine = {100, 300, 80, 200, 150};
    double[] noise = {1.01, 0.99, 1, 1.02, 0.98};
    for (int i = 0; i < machine.length; i++) {
      arm("stock", i + 1, machine[i]);
      arm("weir", i + 1, machine[i] * 0.8 * noise[i]);
    }
    Difference p99 = difference("weir", RunFigure.REOPEN_P99);

    assertEquals(Verdict.LOWER, p99.verdict());
    assertEquals(0.8, p99.ratio(), 0.002);
    ConfidenceInterval interval = p99.interval().orElseThrow();
    assertTrue(interval.low() > 0.75 && interval.high() < 0.85, p99.toString());
    assertEquals(148.411, p99.base(), 0.001); // geometric, of the same rounds
    assertEquals(p99.ratio(), p99.value() / p99.base(), 1e-12);
    assertEquals(5, p99.rounds());
  }

  @Test
  void of_twoArmsThatAreTheSame_saysSo() {
    double[] first = {100, 300, 80, 200, 150};
    double[] second = {140, 210, 120, 160, 190};
    for (int i = 0; i < first.length; i++) {
      arm("a", i + 1, first[i]);
      arm("b", i + 1, second[i]);
    }
    Difference p99 = difference("b", RunFigure.REOPEN_P99);
    assertEquals(Verdict.NONE, p99.verdict());
    assertEquals("no detectable difference", p99.verdict().label());
  }

  @Test
  void of_allFigures_areThere() {
    for (int round = 1; round <= 5; round++) {
      arm("a", round, 100 + round);
      arm("b", round, 200 + 3 * round);
    }
    Comparison comparison = Comparison.of(run()).orElseThrow();

    assertEquals("a", comparison.base());
    assertEquals(
        RunFigure.compared(), comparison.differences().stream().map(Difference::figure).toList());
    for (Difference difference : comparison.differences()) {
      boolean judged =
          difference.figure() == RunFigure.REOPEN_P99
              || difference.figure() == RunFigure.MERGE_SECONDS;
      assertEquals(
          judged ? Verdict.HIGHER : Verdict.NOT_JUDGED,
          difference.verdict(),
          difference.toString());
      assertEquals(103, difference.base(), 0.02, difference.toString());
    }
    assertEquals(List.of(), comparison.obstacles());
  }

  /** Two verdicts of a run hold together as surely as one alone. */
  @Test
  void of_moreVerdicts_hasWiderIntervals_ofJudgedFiguresOnly() {
    double[] noise = {1.1, 0.9, 1, 1.2, 0.95};
    for (int round = 1; round <= noise.length; round++) {
      arm("a", round, 100);
      arm("b", round, 100 * noise[round - 1]);
    }
    double one = width(difference("b", RunFigure.REOPEN_P99));
    assertTrue(one > width(difference("b", RunFigure.REOPEN_P50)), "wider than one alone");
    for (int round = 1; round <= noise.length; round++) {
      arm("c", round, 100 * noise[round - 1]);
    }
    assertTrue(width(difference("b", RunFigure.REOPEN_P99)) > one, "of four verdicts");
  }

  private static double width(Difference difference) {
    ConfidenceInterval interval = difference.interval().orElseThrow();
    return interval.high() / interval.low();
  }

  @Test
  void of_armsWithinTheMargin_areTheSame_andOutsideItOneSaysWhatItWouldHaveSeen() {
    double[] noise = {1.002, 0.999, 1, 1.001, 0.998};
    for (int round = 1; round <= noise.length; round++) {
      arm("a", round, 100);
      arm("b", round, 100 * noise[round - 1]);
      arm("c", round, 100 * Math.pow(noise[round - 1], 100));
    }
    assertEquals(Verdict.SAME, difference("b", RunFigure.REOPEN_P99).verdict());
    Difference loud = difference("c", RunFigure.REOPEN_P99);
    assertEquals(Verdict.NONE, loud.verdict());
    double least = loud.leastSeen().orElseThrow();
    assertTrue(least > 0.2 && least < 2, "least seen: " + least);
  }

  @Test
  void of_anArmThatCouldNotBearItsLoadWithoutAMerge_isAnObstacle() {
    arm("a", 1, 100);
    arm("b", 1, 100);
    QuickResult late = measured(100);
    late.values.put(
        ArmFigures.REOPEN, Phase.BEFORE, new LatencySummary(9, 5120, 5120, 9000, 9900, 9900));
    arms.add(late.result("b", 2));
    assertEquals(
        List.of(
            "without a merge, half of the reopens of arm b in round 2 ended over 5120 ms after they"
                + " were due"),
        Comparison.of(run()).orElseThrow().obstacles());
  }

  @Test
  void of_fourRounds_hasNoInterval() {
    for (int round = 1; round <= 4; round++) {
      arm("a", round, 100);
      arm("b", round, round == 4 ? 50 : 200);
    }
    Difference p99 = difference("b", RunFigure.REOPEN_P99);
    assertEquals(Verdict.TOO_FEW_ROUNDS, p99.verdict());
    assertEquals(Math.sqrt(2), p99.ratio(), 1e-9); // three times twice, once half
    assertEquals(100 * Math.sqrt(2), p99.value(), 1e-9);
    assertEquals(Optional.empty(), p99.interval());
  }

  /** What one of the two lacks in a round is no pair. */
  @Test
  void of_armsThatFailedInARound_leavesThatRoundOut() {
    for (int round = 1; round <= 6; round++) {
      arm("a", round, 100);
      if (round == 2) {
        arms.add(failed("b", round));
      } else {
        arm("b", round, 100 + round);
      }
    }
    assertEquals("b", arms.get(5).name());
    QuickResult partial = measured(103);
    partial.status = Status.INTERRUPTED;
    arms.set(5, partial.result("b", 3));

    Difference p99 = difference("b", RunFigure.REOPEN_P99);
    assertEquals(4, p99.rounds());
    assertEquals(103.983, p99.value(), 0.001);
  }

  @Test
  void of_oneArm_isNothing() {
    arm("a", 1, 100);
    arm("a", 2, 100);
    assertEquals(Optional.empty(), Comparison.of(run()));
  }

  @Test
  void of_oneRound_hasRatiosButNoVerdict() {
    arm("a", 1, 100);
    arm("b", 1, 200);
    Difference p99 = difference("b", RunFigure.REOPEN_P99);
    assertEquals(2, p99.ratio(), 1e-9);
    assertEquals(Verdict.TOO_FEW_ROUNDS, p99.verdict());
  }

  @Test
  void of_armsWithoutAMerge_haveNoMergeSeconds() {
    for (int round = 1; round <= 2; round++) {
      for (String name : List.of("a", "b")) {
        QuickResult arm = measured(100);
        arm.values.put(merge("none", 100));
        arms.add(arm.result(name, round));
      }
    }
    assertTrue(
        Comparison.of(run()).orElseThrow().differences().stream()
            .noneMatch(d -> d.figure() == RunFigure.MERGE_SECONDS));
  }

  private Difference difference(String arm, RunFigure figure) {
    return Comparison.of(run()).orElseThrow().differences().stream()
        .filter(d -> d.name().equals(arm) && d.figure() == figure)
        .findFirst()
        .orElseThrow();
  }

  private Run run() {
    return new QuickRun().result(arms);
  }

  private static Part failed(String name, int round) {
    QuickResult arm = new QuickResult();
    arm.status = Status.FAILED;
    return arm.result(name, round);
  }

  private void arm(String name, int round, double value) {
    arms.add(measured(value).result(name, round));
  }

  /** Every figure that is compared has this value. */
  private static QuickResult measured(double value) {
    QuickResult arm = new QuickResult().reopens(value);
    LatencySummary latency = new LatencySummary(1000, value, value, value, value, value);
    arm.each(ArmFigures.REOPEN, latency); // so many that they have a p99
    arm.each(ArmFigures.VISIBLE, latency);
    for (Work work : List.of(ArmFigures.SEARCH, ArmFigures.UPDATE)) {
      arm.each(work.asked(), value)
          .each(work.achieved(), value)
          .each(work.latency(), latency)
          .each(work.service(), latency);
    }
    arm.each(ArmFigures.GC_PAUSES, 10L)
        .each(ArmFigures.GC_PAUSED, value)
        .each(ArmFigures.GC_LONGEST, value);
    arm.values
        .put(merge("forced", value))
        .put(ArmFigures.RECALL, value)
        .put(ArmFigures.DIRTY_PEAK, Math.round(value * 1e6));
    return arm;
  }

  private static Values merge(String kind, double seconds) {
    return QuickMerge.of(1_000_000)
        .put(MergeFigures.KIND, kind)
        .put(MergeFigures.SECONDS, seconds)
        .build();
  }
}
