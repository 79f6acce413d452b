package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OperationsDispersionTest {

  private static final long TICK_NANOS = 100_000_000;

  private final OperationsDispersion dispersion = new OperationsDispersion();

  @Test
  void nothingWasSeen_isAsOperationsThatComeOneByOne() {
    assertEquals(1, dispersion.ratio());
  }

  @Test
  void operationsAsExpected_areNotLessThanOne() {
    seconds(20, 100, 100);

    assertEquals(1, dispersion.ratio());
  }

  /** Off by plus or minus 20 where the deviation is 10: four times the variance, in ten samples. */
  @Test
  void operationsOffByTwoDeviations_areFourInTheEnd() {
    for (int i = 0; i < 100; i++) {
      seconds(1, i % 2 == 0 ? 120 : 80, 100);
    }

    assertEquals(4, dispersion.ratio(), 0.02);
  }

  @Test
  void oneSecondFarOff_countsAsNearlyThreeDeviations() {
    seconds(1, 10_000, 100);

    double off = 2.8;
    double mean = off / 10;
    assertEquals(1 + (off * off - 1) / 10 - mean * mean, dispersion.ratio(), 1e-9);
  }

  /** A price that is wrong is not chance. */
  @Test
  void operationsOffToOneSide_areOne() {
    seconds(100, 120, 100);

    assertEquals(1, dispersion.ratio(), 0.01);
  }

  @Test
  void sampleThatBeginsAnew_doesNotCount() {
    for (int tick = 0; tick < 9; tick++) {
      dispersion.add(TICK_NANOS, 1000, 10);
    }
    dispersion.startSample();
    seconds(1, 100, 100);

    assertEquals(1, dispersion.ratio());
  }

  @Test
  void nothingExpected_doesNotCount() {
    seconds(5, 100, 0);

    assertEquals(1, dispersion.ratio());
  }

  private void seconds(int count, int operations, int expected) {
    for (int tick = 0; tick < 10 * count; tick++) {
      dispersion.add(TICK_NANOS, operations / 10, expected / 10.0);
    }
  }
}
