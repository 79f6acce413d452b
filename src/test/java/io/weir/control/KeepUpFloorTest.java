package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

  private static final long SECOND = 1_000_000_000L;

  private final KeepUpFloor floor = new KeepUpFloor();

  @Test
  void demand_isTheFloor_withATenthMore_afterSomeMinutes() {
    long rate = 0;
    for (int second = 0; second < 600; second++) {
      rate = floor.bytesPerSecond(List.of(need(5e6, 0, 1)), SECOND);
    }
    assertEquals(5.5e6, rate, 1e4);
  }

  /** The first accepted merge makes the demand of the first second huge. */
  @Test
  void demand_thatIsHighForAMoment_raisesTheFloorLittle() {
    long highest = 0;
    for (int second = 1; second <= 60; second++) {
      highest =
          Math.max(highest, floor.bytesPerSecond(List.of(need(500e6 / second, 0, 1)), SECOND));
    }
    assertTrue(highest < 40e6, () -> "500 MB must not become a floor of 500 MB/s");
  }

  @Test
  void writersThatShareABudget_addUp() {
    long rate = floor.bytesPerSecond(List.of(need(1e6, 0, 1), need(2e6, 0, 1)), Long.MAX_VALUE / 2);
    assertEquals(3.3e6, rate, 1e4);
  }

  @Test
  void slotsHalfInUse_debtIsToBeWrittenWithinAMinute() {
    assertEquals(0, floor.bytesPerSecond(List.of(need(0, 600_000_000, 3)), SECOND));
    assertEquals(10_000_000, floor.bytesPerSecond(List.of(need(0, 600_000_000, 4)), SECOND));
  }

  @Test
  void forcedMerges_areNoBacklog() {
    KeepUpFloor.Need forced =
        new KeepUpFloor.Need(
            debt(0, 9_600_000_000L, 5),
            Optional.of(
                new ForcedMergeProgress(
                    5,
                    400_000_000,
                    OptionalLong.of(10_000_000_000L),
                    OptionalDouble.of(0.04),
                    Duration.ofSeconds(9),
                    Optional.empty())));
    assertEquals(0, floor.bytesPerSecond(List.of(forced), SECOND));
  }

  private static KeepUpFloor.Need need(double demand, long debtBytes, int running) {
    return new KeepUpFloor.Need(debt(demand, debtBytes, running), Optional.empty());
  }

  private static MergeDebtSnapshot debt(double demand, long debtBytes, int running) {
    return new MergeDebtSnapshot(
        demand,
        OptionalDouble.of(1),
        demand,
        OptionalLong.empty(),
        debtBytes,
        running,
        OptionalInt.of(8),
        Optional.empty());
  }
}
