package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.merge.ForcedMergeProgress;
import io.weir.merge.MergeDebtSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KeepUpFloorTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  @Test
  void demand_isTheFloor_withATenthMore() {
    assertEquals(5_500_000, KeepUpFloor.bytesPerSecond(List.of(need(5e6, 0, 1, LONG))));
  }

  /** The first accepted merge makes the demand of a writer's first second huge. */
  @Test
  void demand_ofAFewSeconds_isSpreadOverAMinute() {
    assertEquals(
        9_166_667, KeepUpFloor.bytesPerSecond(List.of(need(500e6, 0, 1, Duration.ofSeconds(1)))));
  }

  @Test
  void writersThatShareABudget_addUp() {
    assertEquals(
        3_300_000,
        KeepUpFloor.bytesPerSecond(List.of(need(1e6, 0, 1, LONG), need(2e6, 0, 1, LONG))));
  }

  @Test
  void slotsHalfInUse_debtIsToBeWrittenWithinAMinute() {
    assertEquals(0, KeepUpFloor.bytesPerSecond(List.of(need(0, 600_000_000, 3, LONG))));
    assertEquals(10_000_000, KeepUpFloor.bytesPerSecond(List.of(need(0, 600_000_000, 4, LONG))));
  }

  @Test
  void forcedMerges_areNoBacklog() {
    KeepUpFloor.Need forced =
        new KeepUpFloor.Need(
            debt(0, 9_600_000_000L, 5, LONG),
            Optional.of(
                new ForcedMergeProgress(
                    5,
                    400_000_000,
                    OptionalLong.of(10_000_000_000L),
                    OptionalDouble.of(0.04),
                    Duration.ofSeconds(9),
                    Optional.empty())));
    assertEquals(0, KeepUpFloor.bytesPerSecond(List.of(forced)));
  }

  private static KeepUpFloor.Need need(
      double demand, long debtBytes, int running, Duration observed) {
    return new KeepUpFloor.Need(debt(demand, debtBytes, running, observed), Optional.empty());
  }

  private static MergeDebtSnapshot debt(
      double demand, long debtBytes, int running, Duration observed) {
    return new MergeDebtSnapshot(
        demand,
        OptionalDouble.of(1),
        demand,
        OptionalLong.empty(),
        debtBytes,
        running,
        OptionalInt.of(8),
        Optional.empty(),
        observed);
  }
}
