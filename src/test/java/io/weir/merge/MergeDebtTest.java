package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.merge.BacklogMonitor.KeepUpWarning;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The clock is an argument: every figure is exact. */
class MergeDebtTest {

  private static final long SECOND = 1_000_000_000L;
  private static final OptionalLong CAP = OptionalLong.of(1000);
  private static final OptionalInt SLOTS = OptionalInt.of(6);

  private final MergeDebt debt = new MergeDebt(0);
  private final KeepUpWarning warning = new KeepUpWarning();

  @Test
  void snapshot_nothingHappened_isCalm() {
    assertEquals(
        new MergeDebtSnapshot(
            0,
            OptionalDouble.empty(),
            0,
            CAP,
            0,
            0,
            SLOTS,
            Optional.empty(),
            Duration.ofSeconds(5)),
        debt.snapshot(CAP, SLOTS, List.of(), 5 * SECOND));
  }

  @Test
  void snapshot_oneLargeMergeAfterIdleTime_isNoLargeDemand() {
    debt.accepted(0, 5_000_000_000L, 1800 * SECOND);
    MergeDebtSnapshot now = debt.snapshot(CAP, SLOTS, List.of(), 1801 * SECOND);
    assertEquals(5e9 / 300, now.demandBytesPerSecond());
    assertEquals(Duration.ofMinutes(5), now.observed());
  }

  @Test
  void snapshot_demandAboveTheCap_saysWhenIndexingStandsStill() {
    debt.accepted(3000, 10_000, 0); // of flushed segments
    debt.accepted(0, 20_000, 5 * SECOND); // of merged ones
    // In 10 s: 3000 bytes came, merges are to write 30000 for them. 2 of 6 slots are taken; the
    // others are, at 15000 bytes each, when 60000 bytes have come that the cap did not let pass.
    assertEquals(
        new MergeDebtSnapshot(
            300,
            OptionalDouble.of(10),
            3000,
            CAP,
            26_000,
            2,
            SLOTS,
            Optional.of(Duration.ofSeconds(30)),
            Duration.ofSeconds(10)),
        debt.snapshot(CAP, SLOTS, open(10_000, 4000, 20_000, 0), 10 * SECOND));
  }

  @Test
  void snapshot_mergesThatWroteTwiceTheirEstimate_doubleTheRest() {
    debt.accepted(1000, 10_000, 0);
    debt.done(10_000, 20_000, 4 * SECOND);
    debt.accepted(1000, 10_000, 4 * SECOND);
    MergeDebtSnapshot now = debt.snapshot(CAP, SLOTS, open(10_000, 5000), 10 * SECOND);
    assertEquals(4000, now.demandBytesPerSecond());
    assertEquals(20, now.writeAmplification().getAsDouble());
    assertEquals(15_000, now.debtBytes());
  }

  @Test
  void snapshot_noCap_neverStandsStill() {
    debt.accepted(1, 1L << 40, 0);
    MergeDebtSnapshot now = debt.snapshot(OptionalLong.empty(), SLOTS, List.of(), SECOND);
    assertEquals(Optional.empty(), now.untilStall());
  }

  @Test
  void snapshot_paused_countsAsACapOfZero() {
    debt.accepted(0, 1000, 0);
    MergeDebtSnapshot now =
        debt.snapshot(OptionalLong.of(0), OptionalInt.of(2), open(1000, 0), 10 * SECOND);
    assertEquals(Optional.of(Duration.ofSeconds(10)), now.untilStall());
  }

  @Test
  void snapshot_lessThanASecondSeen_isTakenAsASecond() {
    debt.accepted(0, 700, 0);
    assertEquals(700, debt.snapshot(CAP, SLOTS, List.of(), SECOND / 100).demandBytesPerSecond());
  }

  @Test
  void snapshot_afterTheWindow_hasForgotten() {
    debt.accepted(0, 1000, 0);
    long end = MergeDebt.WINDOW_NANOS;
    assertEquals(1000 / 300.0, debt.snapshot(CAP, SLOTS, List.of(), end).demandBytesPerSecond());
    assertEquals(0, debt.snapshot(CAP, SLOTS, List.of(), end + 1).demandBytesPerSecond());
  }

  @Test
  void sufficient_isATenthAboveTheDemand() {
    debt.accepted(0, 10_000, 0);
    MergeDebtSnapshot now = debt.snapshot(CAP, SLOTS, List.of(), 10 * SECOND);
    assertEquals(1100, now.sufficientBytesPerSecond());
    assertTrue(now.describe().contains("a cap of 1100 bytes/s would suffice"), now.describe());
  }

  @Test
  void warning_demandAboveTheCapForThirtySeconds_isDueOnce() {
    assertFalse(warning.isDue(demand(1001, 0, Duration.ofHours(1)), 0));
    assertFalse(warning.isDue(demand(1001, 0, Duration.ofHours(1)), 30 * SECOND - 1));
    assertTrue(warning.isDue(demand(1001, 0, Duration.ofHours(1)), 30 * SECOND));
    assertFalse(warning.isDue(demand(1001, 0, Duration.ofHours(1)), 90 * SECOND));
  }

  @Test
  void warning_demandFallsInBetween_beginsAnew() {
    assertFalse(warning.isDue(demand(1001, 0, Duration.ofHours(1)), 0));
    assertFalse(warning.isDue(demand(1000, 0, null), 29 * SECOND));
    assertFalse(warning.isDue(demand(1001, 0, Duration.ofHours(1)), 31 * SECOND));
    assertTrue(warning.isDue(demand(1001, 0, Duration.ofHours(1)), 61 * SECOND));
  }

  @Test
  void warning_stallNear_needsHalfOfTheSlots() {
    assertFalse(warning.isDue(demand(5000, 2, Duration.ofSeconds(59)), 0));
    assertFalse(warning.isDue(demand(5000, 3, Duration.ofSeconds(60)), 0));
    assertTrue(warning.isDue(demand(5000, 3, Duration.ofSeconds(59)), 0));
  }

  @Test
  void warning_afterAnEpisode_needsCalmBeforeTheNext() {
    MergeDebtSnapshot bad = demand(5000, 3, Duration.ofSeconds(1));
    assertTrue(warning.isDue(bad, 0));
    assertFalse(warning.isDue(demand(800, 0, null), SECOND));
    assertFalse(warning.isDue(bad, 2 * SECOND), "800 is not under four fifths of 1000");
    assertFalse(warning.isDue(demand(799, 3, null), 3 * SECOND));
    assertFalse(warning.isDue(bad, 4 * SECOND), "half of the slots were in use");
    assertFalse(warning.isDue(demand(799, 2, null), 5 * SECOND));
    assertTrue(warning.isDue(bad, 6 * SECOND));
  }

  private static MergeDebtSnapshot demand(
      double bytesPerSecond, int runningMerges, Duration untilStall) {
    return new MergeDebtSnapshot(
        0,
        OptionalDouble.empty(),
        bytesPerSecond,
        CAP,
        0,
        runningMerges,
        SLOTS,
        Optional.ofNullable(untilStall),
        Duration.ofSeconds(100));
  }

  private static List<MergeDebt.Open> open(long... estimatedAndWritten) {
    return IntStream.range(0, estimatedAndWritten.length / 2)
        .mapToObj(
            i -> new MergeDebt.Open(estimatedAndWritten[2 * i], estimatedAndWritten[2 * i + 1]))
        .toList();
  }
}
