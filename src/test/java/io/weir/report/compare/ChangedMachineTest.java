package io.weir.report.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.CanaryFigures;
import io.weir.run.CanaryFigures.Probe;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Arms before which the machine was another one are not compared. */
class ChangedMachineTest {

  private final List<Part> arms = new ArrayList<>();

  private void arm(String name, int round, double read, double sync, double sum) {
    arm(name, round, Status.DONE, read, sync, sum);
  }

  private void arm(String name, int round, Status status, double read, double sync, double sum) {
    QuickResult arm = new QuickResult().reopens(10 + round);
    arm.status = status;
    arm.values
        .put(CanaryFigures.TOOK, Probe.READ, took(read))
        .put(CanaryFigures.TOOK, Probe.SYNC, took(sync))
        .put(CanaryFigures.TOOK, Probe.SUM, took(sum));
    arms.add(arm.result(name, round));
  }

  private static LatencySummary took(double millis) {
    return new LatencySummary(100, millis, millis, millis, millis, millis);
  }

  private List<String> why() {
    return ChangedMachine.of(arms).stream().flatMap(arm -> arm.why().stream()).toList();
  }

  @Test
  void of_aMachineThatStaysAsItIs_hasNone() {
    arm("a", 1, 6, 9, 4);
    arm("b", 1, 8.9, 6.1, 5.9);
    arm("a", 2, 6, 9, 4);
    assertEquals(List.of(), why());
  }

  @Test
  void of_eachResource_isNamed() {
    for (int round = 1; round <= 3; round++) {
      arm("a", round, 6, 9, 4);
      arm("b", round, round == 2 ? 12 : 6, round == 2 ? 4 : 9, round == 3 ? 8 : 4);
    }
    assertEquals(
        List.of(
            "before b in round 2 a disk read took 12.00 ms, and 6.00 ms by the median of all",
            "before b in round 2 a sync took 4.00 ms, and 9.00 ms by the median of all",
            "before b in round 3 a sum on all processors took 8.00 ms, and 4.00 ms by the median"
                + " of all"),
        why());
  }

  @Test
  void of_differencesOfMicroseconds_areNone() {
    arm("a", 1, 0.02, 0.01, 4);
    arm("b", 1, 0.09, 0.03, 4);
    assertEquals(List.of(), why());
  }

  @Test
  void of_armsThatDidNotEnd_orHaveNoCanary_doNotCount() {
    arm("a", 1, 6, 9, 4);
    arm("b", 1, Status.INTERRUPTED, 60, 90, 40);
    arms.add(new QuickResult().result("c", 1));
    assertEquals(List.of(), why());
  }

  @Test
  void comparison_leavesTheArmOutOfItsRound() {
    for (int round = 1; round <= 6; round++) {
      arm("a", round, 6, 9, 4);
      arm("b", round, 6, 9, round == 2 ? 8 : 4);
    }
    Comparison comparison = Comparison.of(new QuickRun().result(arms)).orElseThrow();
    Difference reopens =
        comparison.differences().stream()
            .filter(difference -> difference.figure() == RunFigure.REOPEN_MAX)
            .findFirst()
            .orElseThrow();
    assertEquals(5, reopens.rounds());
    assertEquals(List.of(), comparison.obstacles());
    assertEquals(1, comparison.changed().size());
  }

  @Test
  void comparison_ofNothingElse_isNotPossible() {
    arm("a", 1, 6, 9, 4);
    arm("b", 1, 6, 9, 40);
    Comparison comparison = Comparison.of(new QuickRun().result(arms)).orElseThrow();
    assertEquals(List.of(), comparison.differences());
    assertEquals(2, comparison.obstacles().size(), comparison.obstacles().toString());
  }

  @Test
  void runComparison_ofRunsOnAnotherMachine_hasNoVerdict() {
    arm("a", 1, 6, 9, 4);
    arm("a", 2, 6, 9, 4);
    Run base = new QuickRun().result(List.copyOf(arms));
    arms.clear();
    arm("a", 1, 30, 9, 4);
    Run other = new QuickRun().result(List.copyOf(arms));
    Map<String, Run> runs = new LinkedHashMap<>();
    runs.put("monday", base);
    runs.put("friday", other);
    assertEquals(
        Map.of(
            "friday",
            List.of(
                "before a in round 1 a disk read took 30.00 ms, and 6.00 ms by the median of all")),
        RunComparison.of(runs).incomparable());
    assertEquals(Map.of(), RunComparison.of(runs).obstacles());
  }
}
