package io.weir.report.compare;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Where the true mean of a few numbers is to be expected, at {@value #LEVEL}: the studentised
 * bootstrap. It draws from the numbers with replacement many times, and looks how far the mean of
 * each draw is from that of the numbers, in standard errors of the draw itself. So it knows how
 * little five numbers say: the plain percentile bootstrap can never leave the range of the numbers,
 * and is wrong one time in eight then.
 *
 * <p>Fewer than {@value #LEAST_VALUES} numbers have no interval. The same numbers in the same order
 * always have the same one. Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
 * chapter 12.5.
 *
 * @param low its lower end
 * @param high its upper end
 */
record BootstrapInterval(double low, double high) {

  static final double LEVEL = 0.95;
  static final int LEAST_VALUES = 5;

  private static final int DRAWS = 9999;
  private static final long SEED = 42;

  /** That of the mean of {@code values}, of which there are at least {@link #LEAST_VALUES}. */
  static BootstrapInterval ofMean(double[] values) {
    if (values.length < LEAST_VALUES) {
      throw new IllegalArgumentException(
          "values must be at least " + LEAST_VALUES + ": " + values.length);
    }
    double mean = mean(values);
    double error = standardError(values, mean);
    if (error == 0) {
      return new BootstrapInterval(mean, mean);
    }
    double[] distances = distances(values, mean);
    int tail = (int) Math.round((1 - LEVEL) / 2 * (DRAWS + 1)) - 1;
    return new BootstrapInterval(
        mean - distances[DRAWS - 1 - tail] * error, mean - distances[tail] * error);
  }

  boolean holds(double value) {
    return low <= value && value <= high;
  }

  /** Of each draw: how many of its own standard errors its mean is off; sorted. */
  private static double[] distances(double[] values, double mean) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] distances = new double[DRAWS];
    double[] draw = new double[values.length];
    for (int i = 0; i < DRAWS; i++) {
      for (int j = 0; j < draw.length; j++) {
        draw[j] = values[random.nextInt(values.length)];
      }
      double off = mean(draw) - mean;
      double error = standardError(draw, off + mean);
      // One number drawn again and again has no error of its own: then it is endlessly far off.
      distances[i] = off == 0 ? 0 : off / error;
    }
    Arrays.sort(distances);
    return distances;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double standardError(double[] values, double mean) {
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / (values.length - 1) / values.length);
  }
}
