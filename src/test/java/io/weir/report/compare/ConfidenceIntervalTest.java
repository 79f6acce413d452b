package io.weir.report.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfidenceIntervalTest {

  private static final int EXPERIMENTS = 1000;

  /** Of what must be so nearly each time. */
  private static final int FEW = 100;

  /** What the level promises, on differences of two things that are the same. */
  @ParameterizedTest
  @CsvSource({"5,normal", "5,skewed"})
  @Slow("simulates a thousand experiments")
  void ofMean_ofNoDifference_missesZeroNoMoreOftenThanItSays(int rounds, String shape) {
    assertFalseAlarmsOfMean(rounds, shape);
  }

  @ParameterizedTest
  @CsvSource({"8,normal", "8,skewed", "20,normal", "20,skewed"})
  @LongRun("more rounds than ofMean_ofNoDifference_missesZeroNoMoreOftenThanItSays")
  void ofMean_ofManyRoundsWithoutADifference_missesZeroNoMoreOftenThanItSays(
      int rounds, String shape) {
    assertFalseAlarmsOfMean(rounds, shape);
  }

  private static void assertFalseAlarmsOfMean(int rounds, String shape) {
    Random random = new Random(7);
    DoubleSupplier value =
        shape.equals("normal")
            ? random::nextGaussian
            : () -> Math.log(0.2 - Math.log(1 - random.nextDouble()));
    int alarms = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
      double[] differences = new double[rounds];
      for (int j = 0; j < rounds; j++) {
        differences[j] = value.getAsDouble() - value.getAsDouble();
      }
      alarms += ConfidenceInterval.ofMean(differences).holds(0) ? 0 : 1;
    }
    double share = (double) alarms / EXPERIMENTS;
    assertTrue(share <= 0.05, "false alarms: " + share);
    assertTrue(share >= 0.01, "so wide that it never says anything: " + share);
  }

  /** Of two things that are the same, measured apart, and not equally often. */
  @ParameterizedTest
  @CsvSource({"5,9"})
  @Slow("simulates a thousand experiments")
  void ofDifference_ofNoDifference_missesZeroNoMoreOftenThanItSays(int bases, int values) {
    assertFalseAlarmsOfDifference(bases, values);
  }

  @ParameterizedTest
  @CsvSource({"5,5", "20,20"})
  @LongRun("other numbers than ofDifference_ofNoDifference_missesZeroNoMoreOftenThanItSays")
  void ofDifference_ofOtherNumbersWithoutADifference_missesZeroNoMoreOftenThanItSays(
      int bases, int values) {
    assertFalseAlarmsOfDifference(bases, values);
  }

  private static void assertFalseAlarmsOfDifference(int bases, int values) {
    Random random = new Random(7);
    int alarms = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
      double[] first =
          random.doubles(bases, 0, 1).map(u -> Math.log(0.2 - Math.log(1 - u))).toArray();
      double[] second =
          random.doubles(values, 0, 1).map(u -> Math.log(0.2 - Math.log(1 - u))).toArray();
      alarms +=
          ConfidenceInterval.ofDifference(first, second, ConfidenceInterval.LEVEL).holds(0) ? 0 : 1;
    }
    double share = (double) alarms / EXPERIMENTS;
    assertTrue(share <= 0.05, "false alarms: " + share);
    assertTrue(share >= 0.01, "so wide that it never says anything: " + share);
  }

  @Test
  void ofMean_ofALargeDifference_findsIt() {
    Random random = new Random(7);
    int found = 0;
    for (int i = 0; i < FEW; i++) {
      double[] differences = random.doubles(5).map(d -> 1 + 0.5 * d).toArray();
      found += ConfidenceInterval.ofMean(differences).holds(0) ? 0 : 1;
    }
    assertTrue(found > 0.95 * FEW, found + " of " + FEW);
  }

  /** A percentile bootstrap of five numbers never does. */
  @Test
  void ofMean_ofFiveNumbers_mayLeaveTheirRange() {
    ConfidenceInterval interval = ConfidenceInterval.ofMean(new double[] {1, 2, 3, 4, 5});
    assertTrue(interval.low() < 1 && interval.high() > 5, interval.toString());
    assertEquals(6, interval.low() + interval.high(), 0.4, "their distances are symmetric");
  }

  @Test
  void ofMean_isNeverNarrowerThanStudents() {
    Random random = new Random(7);
    double t = 2.7764451; // of 4 degrees of freedom, at 97.5 %
    for (int i = 0; i < FEW; i++) {
      double[] values = random.doubles(5).toArray();
      double mean = Arrays.stream(values).average().orElseThrow();
      double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
      double half = t * Math.sqrt(squares / 4 / 5);
      ConfidenceInterval interval = ConfidenceInterval.ofMean(values);
      assertTrue(interval.low() <= mean - half + 1e-6, interval::toString);
      assertTrue(interval.high() >= mean + half - 1e-6, interval::toString);
    }
  }

  @Test
  void ofMean_twice_isTheSame() {
    double[] values = {0.3, 0.9, 1.4, -0.2, 0.8, 2};
    assertEquals(ConfidenceInterval.ofMean(values), ConfidenceInterval.ofMean(values));
  }

  @Test
  void ofMean_ofOneNumberRepeated_isThatNumber() {
    assertEquals(
        new ConfidenceInterval(0.5, 0.5),
        ConfidenceInterval.ofMean(new double[] {0.5, 0.5, 0.5, 0.5, 0.5}));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4})
  void ofMean_ofTooFew_isRefused(int values) {
    assertEquals(
        "values must be at least 5: " + values,
        assertThrows(
                IllegalArgumentException.class, () -> ConfidenceInterval.ofMean(new double[values]))
            .getMessage());
  }
}
