package io.weir.stress.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.run.Part;
import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.stress.QuickResult;
import io.weir.stress.plan.Slo.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SloTest {

  private final List<Part> results = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "LESS, 10, false", "LESS, 10.1, true",
    "AT_MOST, 10, true", "AT_MOST, 9.9, false",
    "GREATER, 10, false", "GREATER, 9.9, true",
    "AT_LEAST, 10, true", "AT_LEAST, 10.1, false"
  })
  void judge_atTheBound_goesByTheSign(Relation relation, double bound, boolean met) {
    arm("a", 1, 10);
    Slo slo = slo(Optional.empty(), relation, bound, Optional.empty());
    assertEquals(
        List.of(new SloResult("text", "a", Optional.of(10.0), bound, "ms", met, Optional.empty())),
        slo.judge(List.of("a"), results));
  }

  @Test
  void judge_rounds_goesByTheirMedian() {
    arm("a", 1, 500);
    arm("a", 2, 20);
    arm("a", 3, 10);
    Slo slo = slo(Optional.empty(), Relation.LESS, 25, Optional.empty());
    assertEquals(
        List.of(new SloResult("text", "a", Optional.of(20.0), 25, "ms", true, Optional.empty())),
        slo.judge(List.of("a"), results));
    arm("a", 4, 60);
    assertEquals(
        List.of(new SloResult("text", "a", Optional.of(40.0), 25, "ms", false, Optional.empty())),
        slo.judge(List.of("a"), results));
  }

  /** Not by the ratio of medians, which would be 1 here. */
  @Test
  void judge_ratio_isTakenRoundByRound_andNotOfTheBaseItself() {
    double[] base = {100, 10, 1};
    double[] other = {10, 1, 100};
    for (int round = 1; round <= 3; round++) {
      arm("base", round, base[round - 1]);
      arm("b", round, other[round - 1]);
    }
    Slo slo = slo(Optional.empty(), Relation.LESS, 0.5, Optional.of("base"));
    assertEquals(
        List.of(new SloResult("text", "b", Optional.of(0.1), 0.5, "x", true, Optional.empty())),
        slo.judge(List.of("base", "b"), results));
  }

  /** The same values as above: rounds that did not run side by side. */
  @Test
  void judge_ratioOfRoundsThatAreNoPairs_isThatOfTheMedians() {
    List<Part> base = new ArrayList<>();
    for (double millis : new double[] {100, 10, 1}) {
      base.add(new QuickResult().reopens(millis).result("base", base.size() + 1));
    }
    for (double millis : new double[] {10, 1, 100, 4, 4}) { // and not as many
      arm("b", results.size() + 1, millis);
    }
    Slo slo = slo(Optional.empty(), Relation.LESS, 0.5, Optional.of("base"));
    assertEquals(
        new SloResult("text", "b", Optional.of(0.4), 0.5, "x", true, Optional.empty()),
        slo.judge("b", results, base));
    assertEquals(Optional.of("base did not run"), slo.judge("b", results, List.of()).reason());
    assertEquals(Optional.of("it did not run"), slo.judge("b", List.of(), base).reason());
    base.add(failed("base", 4));
    assertEquals(
        Optional.of("base did not end well in round 4"), slo.judge("b", results, base).reason());
    List<Part> nothing = List.of(new QuickResult().reopens(0).result("base", 1));
    assertEquals(Optional.of("base was 0"), slo.judge("b", results, nothing).reason());
  }

  @Test
  void judge_ofOneArm_leavesOthersAlone() {
    arm("a", 1, 10);
    arm("b", 1, 10);
    Slo slo = slo(Optional.of("b"), Relation.LESS, 11, Optional.empty());
    assertEquals(
        List.of("b"), slo.judge(List.of("a", "b"), results).stream().map(SloResult::arm).toList());
  }

  @Test
  void judge_whatIsNotKnown_isNotMet() {
    arm("a", 1, 10);
    results.add(failed("a", 2));
    arm("c", 1, 10);
    assertEquals("a did not end well in round 2", reason("a", RunFigure.REOPEN_P99, null));
    assertEquals(
        "merge.seconds was not measured in round 1 of c",
        reason("c", RunFigure.MERGE_SECONDS, null));
    assertEquals("it did not run", reason("d", RunFigure.REOPEN_P99, null));
    assertEquals("d did not run in round 1", reason("c", RunFigure.REOPEN_P99, "d"));
    arm("c", 2, 10);
    assertEquals("a did not end well in round 2", reason("c", RunFigure.REOPEN_P99, "a"));
  }

  @Test
  void bound_ofNoSense_isRefused() {
    for (double bound : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertEquals(
          "slo must have a bound of at least 0: 'text'",
          assertThrows(
                  IllegalArgumentException.class,
                  () -> slo(Optional.empty(), Relation.LESS, bound, Optional.empty()))
              .getMessage());
    }
  }

  private String reason(String arm, RunFigure figure, String base) {
    Slo slo =
        new Slo("text", Optional.of(arm), figure, Relation.GREATER, 0, Optional.ofNullable(base));
    SloResult result = slo.judge(List.of(arm), results).get(0);
    assertEquals(Optional.empty(), result.value());
    assertEquals(false, result.met());
    return result.reason().orElseThrow();
  }

  private static Slo slo(
      Optional<String> arm, Relation relation, double bound, Optional<String> base) {
    return new Slo("text", arm, RunFigure.REOPEN_P99, relation, bound, base);
  }

  private static Part failed(String name, int round) {
    QuickResult result = new QuickResult();
    result.status = Status.FAILED;
    return result.result(name, round);
  }

  private void arm(String name, int round, double millis) {
    results.add(new QuickResult().reopens(millis).result(name, round));
  }
}
