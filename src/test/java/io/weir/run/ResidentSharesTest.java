package io.weir.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.stress.QuickResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResidentSharesTest {

  private final List<Part> arms = new ArrayList<>();

  @Test
  void warning_ofArmsThatDidNotStartAlike_namesTheColdestAndTheWarmest() {
    add("no cap", 1, "as-is", Optional.of(0.02));
    add("cap", 1, "as-is", Optional.of(0.57));
    add("goal", 1, "as-is", Optional.of(0.52));

    assertEquals(
        Optional.of("arm no cap found 2 % of its index in the page cache, arm cap 57 %"),
        ResidentShares.asFound(arms).warning().map(RunWarning::what));
  }

  @Test
  void warning_ofSharesWithinTheTolerance_isNone() {
    add("a", 1, "as-is", Optional.of(0.5));
    add("b", 1, "as-is", Optional.of(0.59));

    assertEquals(Optional.empty(), ResidentShares.asFound(arms).warning());
  }

  /** An even number of rounds gives two arms both orders. */
  @Test
  void warning_ofArmsWhoseRoundsBalance_isNone() {
    add("a", 1, "as-is", Optional.of(0.0));
    add("b", 1, "as-is", Optional.of(0.6));
    add("b", 2, "as-is", Optional.of(0.02));
    add("a", 2, "as-is", Optional.of(0.6));

    assertEquals(Map.of("a", 0.3, "b", 0.31), ResidentShares.of(arms).byArm());
    assertEquals(Optional.empty(), ResidentShares.asFound(arms).warning());
  }

  /** That an arm was not in the state it asked for is a warning of its own. */
  @Test
  void asFound_leavesOutArmsThatAskedForAState_andUnknownShares() {
    add("cold", 1, "cold", Optional.of(0.0));
    add("warm", 1, "warm", Optional.of(1.0));
    add("as found", 1, "as-is", Optional.of(0.5));
    add("unknown", 1, "as-is", Optional.empty());
    arms.add(new QuickResult().result("not measured", 1));

    assertEquals(Map.of("as found", 0.5), ResidentShares.asFound(arms).byArm());
    assertEquals(
        Map.of("as found", 0.5, "cold", 0.0, "warm", 1.0), ResidentShares.of(arms).byArm());
    assertEquals(Optional.empty(), ResidentShares.asFound(arms).warning());
    assertEquals(Optional.empty(), ResidentShares.asFound(List.of()).warning());
  }

  private void add(String name, int round, String asked, Optional<Double> share) {
    QuickResult arm = new QuickResult();
    arm.values.put(ArmFigures.CACHE_ASKED, asked).put(ArmFigures.RESIDENT_SHARE, share);
    arms.add(arm.result(name, round));
  }
}
