package io.weir.indexing.steady;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class EvenRatesTest {

  private static final long SECOND = 1_000_000_000;

  @Test
  void of_readingsAtEachStep_isTheGrowth() {
    assertRates(new double[] {10, 0, 5}, new long[] {7, 8, 9, 10}, new long[] {2, 12, 12, 17});
  }

  @Test
  void of_readingsBetweenSteps_sharesTheGrowthEvenly() {
    assertRates(new double[] {10, 10, 30}, new long[] {0, 2, 3}, new long[] {0, 20, 50});
  }

  @Test
  void of_manyReadingsInAStep_addsThemUp() {
    assertArrayEquals(
        new double[] {6},
        EvenRates.of(
            new long[] {0, SECOND / 4, SECOND / 2, SECOND}, new long[] {0, 1, 5, 6}, SECOND),
        1e-9);
  }

  @Test
  void of_aRestShorterThanAStep_leavesItOut() {
    assertArrayEquals(
        new double[] {4},
        EvenRates.of(new long[] {0, SECOND, SECOND * 3 / 2}, new long[] {0, 4, 100}, SECOND),
        1e-9);
    assertRates(new double[] {}, new long[] {5}, new long[] {3});
  }

  private static void assertRates(double[] expected, long[] seconds, long[] totals) {
    long[] nanos = new long[seconds.length];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = seconds[i] * SECOND;
    }
    assertArrayEquals(expected, EvenRates.of(nanos, totals, SECOND), 1e-9);
  }
}
