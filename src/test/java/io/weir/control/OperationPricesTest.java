package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.OperationsSight.ChargedBytes;
import io.weir.procfs.OperationCounters;
import org.junit.jupiter.api.Test;

class OperationPricesTest {

  private static final long TICK_NANOS = 100_000_000;

  private final OperationPrices prices = new OperationPrices();

  private void ticks(int count, long reads, long writes, long readBytes, long writtenBytes) {
    for (int i = 0; i < count; i++) {
      prices.add(
          TICK_NANOS,
          new OperationCounters(reads, writes),
          new ChargedBytes(readBytes, writtenBytes));
    }
  }

  /** A byte of work that was not seen yet costs 1/16384 of an operation. */
  @Test
  void unknownPrice_isTakenToBeHigh() {
    assertEquals(5 / 16_384.0, prices.of(2, 3), 1e-12);
    ticks(100, 10, 0, 1_000_000, 0);
    assertEquals(2e-5 + 3 / 16_384.0, prices.of(2, 3), 1e-12);
    ticks(9, 0, 1, 0, 10_000);
    assertEquals(2e-5 + 3 / 16_384.0, prices.of(2, 3), 1e-12);
    ticks(1, 0, 1, 0, 10_000);
    assertEquals(2e-5 + 3e-4, prices.of(2, 3), 1e-9);
    assertEquals(0.25e-5 + 0.75e-4, prices.ofOne(0.25), 1e-9);
  }

  @Test
  void knownWell_afterSecondsOfSuchWork() {
    ticks(50, 10, 0, 1_000_000, 0);
    assertTrue(prices.areKnownWell(1));
    assertFalse(prices.areKnownWell(0.9));
    ticks(49, 0, 10, 0, 100_000);
    assertFalse(prices.areKnownWell(0));
    ticks(1, 0, 10, 0, 100_000);
    assertTrue(prices.areKnownWell(0));
    assertTrue(prices.areKnownWell(0.5));
  }

  /** Their average forgets, down to fewer operations than make a price well known. */
  @Test
  void knownWell_staysSo() {
    ticks(50, 10, 0, 1_000_000, 0);
    ticks(300, 0, 0, 1_000_000, 0);
    assertTrue(prices.areKnownWell(1));
  }

  /** Others write while merges only read; that changes no price. */
  @Test
  void operationsWithoutBytesOfTheKind_countForHalfASecondOnly() {
    ticks(50, 10, 0, 1_000_000, 0);
    ticks(50, 0, 10, 0, 1_000_000);
    double before = prices.ofOne(0);
    ticks(4, 10, 10, 1_000_000, 0); // writes that were charged before
    double after = prices.ofOne(0);
    assertTrue(after > before * 1.05, () -> before + " -> " + after);
    ticks(100, 10, 10, 1_000_000, 0);
    assertEquals(after, prices.ofOne(0), 1e-12);
  }

  @Test
  void priceThatChanges_isFollowedInSeconds() {
    ticks(50, 10, 0, 1_000_000, 0);
    ticks(100, 0, 10, 0, 1_000_000);
    ticks(100, 0, 40, 0, 1_000_000);
    assertEquals(4e-5, prices.ofOne(0), 0.5e-5);
  }
}
