package io.weir.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class ChangePointsTest {

  private static final double FALSE_ALARMS = 0.02;

  private final SplittableRandom random = new SplittableRandom(3);

  @Test
  void in_aCleanStep_isFoundWhereItIs() {
    double[] series = {10.1, 9.9, 10, 10.2, 9.8, 12.1, 11.9, 12, 12.2, 11.8};

    ChangePoints.Change change = only(new ChangePoints(FALSE_ALARMS).in(List.of(series)));

    assertEquals(5, change.at());
    assertEquals(10, change.before(), 0.01);
    assertEquals(12, change.after(), 0.01);
    // Of the 252 ways to choose five of ten, two are as clear.
    assertEquals(2 / 252.0, change.chance(), 0.004);
  }

  @Test
  void in_aStepAmongManySeriesWithoutOne_isFoundInItsSeriesAlone() {
    List<double[]> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(normal(14, 100, 3));
    }
    for (int day = 7; day < 14; day++) {
      all.get(11)[day] -= 30;
    }

    ChangePoints.Change change = only(new ChangePoints(FALSE_ALARMS).in(all));

    assertEquals(11, change.series());
    assertEquals(7, change.at());
  }

  /** The mean of the first half is 34, but the test compares logarithms. */
  @Test
  void in_aRiseAfterOneBadNight_risesInItsLevelsToo() {
    double[] series = new double[60];
    Arrays.fill(series, 0, 30, 1);
    Arrays.fill(series, 30, 60, 5);
    series[10] = 1000;

    ChangePoints.Change change = only(new ChangePoints(FALSE_ALARMS).in(List.of(series)));

    assertEquals(30, change.at());
    assertEquals(1.26, change.before(), 0.01);
    assertEquals(5, change.after(), 1e-9);
  }

  @Test
  void in_numbersFrom0On_hasMeansAsLevels() {
    double[] series = {0, 2, 1, 1, 1, 9, 9, 9, 8, 10};

    ChangePoints.Change change = only(new ChangePoints(FALSE_ALARMS).in(List.of(series)));

    assertEquals(1, change.before(), 1e-9);
    assertEquals(9, change.after(), 1e-9);
  }

  /** The clearest cut of all has the chance of one shuffle in 5000. */
  @Test
  void falseAlarms_thatNoCutCanMeet_areRefused() {
    assertEquals(
        "false-alarms must be a share of at least 0.0002 and below 1: 1.0E-4",
        assertThrows(IllegalArgumentException.class, () -> new ChangePoints(1e-4)).getMessage());
    double[] series = new double[40];
    Arrays.fill(series, 0, 20, 10);
    Arrays.fill(series, 20, 40, 1000);

    assertEquals(20, only(new ChangePoints(0.0002).in(List.of(series))).at());
  }

  @Test
  void in_twoSteps_areBothFound() {
    double[] series = normal(60, 50, 1);
    for (int day = 20; day < 40; day++) {
      series[day] += 8;
    }

    List<Integer> found =
        new ChangePoints(FALSE_ALARMS)
            .in(List.of(series)).stream().map(ChangePoints.Change::at).toList();

    assertEquals(List.of(20, 40), found);
  }

  @Test
  void in_equalOrFewNumbers_findsNothing() {
    double[] same = new double[30];
    Arrays.fill(same, 3.3);

    assertEquals(List.of(), new ChangePoints(FALSE_ALARMS).in(List.of(same)));
    assertEquals(List.of(), new ChangePoints(FALSE_ALARMS).in(List.of()));
    assertEquals(
        List.of(), new ChangePoints(FALSE_ALARMS).in(List.of(new double[] {1, 1, 9, 9, 9})));
  }

  /** Noise of a busy machine makes rates so many times as slow, so ratios are compared. */
  @Test
  void in_aFallToATwentiethAmidNoiseOfFactors_isFound() {
    double[] series = {4.5, 3.6, 8.0, 12.4, 2.3, 0.1, 0.2, 0.3, 0.1, 0.3};

    assertEquals(5, only(new ChangePoints(FALSE_ALARMS).in(List.of(series))).at());
  }

  /** One bad night is no change of level. */
  @Test
  void in_oneOutlier_findsNothing() {
    double[] series = normal(20, 100, 1);
    series[15] = 300;

    assertEquals(List.of(), new ChangePoints(FALSE_ALARMS).in(List.of(series)));
  }

  /** The promise of the class, with three kinds of noise, a shared one among them. */
  @Test
  @Slow("simulates histories until the rate of false alarms is known")
  void falseAlarms_ofManyEqualHistories_areAsRareAsPromised() {
    assertRate(5, () -> random.nextGaussian());
    assertRate(1, () -> Math.exp(2 * random.nextGaussian()));
    int alarms = 0;
    for (int i = 0; i < HISTORIES; i++) {
      List<double[]> all = new ArrayList<>();
      double[] night = normal(RUNS, 0, 3); // what slows all figures of a night
      for (int j = 0; j < 5; j++) {
        double[] series = normal(RUNS, 100, 1);
        for (int day = 0; day < RUNS; day++) {
          series[day] += night[day];
        }
        all.add(series);
      }
      alarms += new ChangePoints(PROMISED, SHUFFLES).in(all).isEmpty() ? 0 : 1;
    }
    assertRare(alarms);
  }

  private static final int HISTORIES = 1000;
  private static final int RUNS = 12;
  private static final int SHUFFLES = 199;
  private static final double PROMISED = 0.05;

  private void assertRate(int series, DoubleSupplier noise) {
    int alarms = 0;
    for (int i = 0; i < HISTORIES; i++) {
      List<double[]> all = new ArrayList<>();
      for (int j = 0; j < series; j++) {
        double[] values = new double[RUNS];
        Arrays.setAll(values, day -> noise.getAsDouble());
        all.add(values);
      }
      alarms += new ChangePoints(PROMISED, SHUFFLES).in(all).isEmpty() ? 0 : 1;
    }
    assertRare(alarms);
  }

  /** At most what is promised, and three standard deviations of what chance adds. */
  private static void assertRare(int alarms) {
    double most = HISTORIES * PROMISED + 3 * Math.sqrt(HISTORIES * PROMISED * (1 - PROMISED));
    assertTrue(alarms <= most, alarms + " of " + HISTORIES);
  }

  /**
   * How often a step of five standard deviations is found on its day, in ten and in twenty runs.
   */
  @Test
  @Slow("simulates histories until the rate of found steps is known")
  void power_ofAClearStep_isHigh() {
    assertTrue(foundOnItsDay(10, 5) >= 85, foundOnItsDay(10, 5) + " of 100 in ten runs");
    assertTrue(foundOnItsDay(20, 12) >= 95, foundOnItsDay(20, 12) + " of 100 in twenty runs");
  }

  private int foundOnItsDay(int runs, int step) {
    SplittableRandom own = new SplittableRandom(9);
    int found = 0;
    for (int i = 0; i < 100; i++) {
      double[] series = new double[runs];
      for (int day = 0; day < runs; day++) {
        series[day] = own.nextGaussian() + (day < step ? 100 : 105);
      }
      List<ChangePoints.Change> changes = new ChangePoints(FALSE_ALARMS, 999).in(List.of(series));
      found += changes.size() == 1 && changes.getFirst().at() == step ? 1 : 0;
    }
    return found;
  }

  private double[] normal(int count, double mean, double deviation) {
    double[] values = new double[count];
    Arrays.setAll(values, i -> mean + deviation * random.nextGaussian());
    return values;
  }

  private static ChangePoints.Change only(List<ChangePoints.Change> changes) {
    assertEquals(1, changes.size(), changes.toString());
    return changes.getFirst();
  }
}
