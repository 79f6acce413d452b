package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.control.OperationsSight.ChargedBytes;
import io.weir.procfs.OperationCounters;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Written bytes cost ten times as much as read ones here. */
class MergeWorkTest {

  private static final long TICK_NANOS = 100_000_000;
  private static final ChargedBytes VERIFIES = new ChargedBytes(1_000_000, 0);
  private static final ChargedBytes COPIES = new ChargedBytes(0, 1_000_000);

  private final OperationPrices prices = new OperationPrices();
  private final MergeWork work = new MergeWork();

  @BeforeEach
  void learnPrices() {
    prices.add(TICK_NANOS, new OperationCounters(10, 100), new ChargedBytes(1_000_000, 1_000_000));
  }

  private void ticks(int count, ChargedBytes used) {
    for (int i = 0; i < count; i++) {
      work.add(TICK_NANOS, used, prices);
    }
  }

  private double shareOfReads() {
    return work.shareOfReads(prices);
  }

  @Test
  void dearerWork_isSeenAtOnce_andCheaperWorkSoon() {
    ticks(100, VERIFIES);
    assertEquals(1, shareOfReads());
    ticks(1, COPIES);
    assertEquals(0, shareOfReads());
    ticks(30, COPIES);
    ticks(1, VERIFIES);
    assertEquals(1 / 3.0, shareOfReads(), 1e-9);
    ticks(2, VERIFIES);
    assertEquals(1, shareOfReads());
  }

  @Test
  void ticksWithoutBytes_changeNothing() {
    ticks(3, VERIFIES);
    ticks(1000, ChargedBytes.NOTHING);
    ticks(1, VERIFIES);
    assertEquals(1, shareOfReads());
  }

  /**
   * The second turn within a second and a half makes it a mixture, until three seconds bring no
   * other.
   */
  @Test
  void workThatGoesBackAndForth_isBoth() {
    ticks(100, VERIFIES);
    ticks(10, COPIES);
    assertEquals(0, shareOfReads());
    for (int i = 0; i < 5; i++) {
      ticks(10, VERIFIES);
      ticks(10, COPIES);
    }
    assertEquals(10 / 30.0, shareOfReads(), 1e-9);
    ticks(10, VERIFIES);
    assertEquals(20 / 30.0, shareOfReads(), 1e-9);
    ticks(30, VERIFIES);
    ticks(1, COPIES);
    assertEquals(0, shareOfReads());
  }
}
