package io.weir.report.compare;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Where the true mean of a few numbers is to be expected, or how far that of others is from it: all
 * that the studentised bootstrap holds possible, or Student's t, or Welch's for two rows of
 * numbers.
 *
 * <p>The bootstrap draws from the numbers with replacement many times, and looks how far the mean
 * of each draw is from that of the numbers, in standard errors of the draw itself. So it knows how
 * little five numbers say: the plain percentile bootstrap can never leave the range of the numbers,
 * so of five it is wrong one time in sixteen at the least. It knows the shape of the numbers, but
 * of five it sees little of that; Student's t takes it for normal. Each alone is wrong about as
 * often as it says, both at once less often: whoever is told of a difference should not be fooled.
 *
 * <p>Fewer than {@value #LEAST_VALUES} numbers have no interval. The same numbers in the same order
 * always have the same one. Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
 * chapter 12.5; Welch, The generalization of Student's problem, Biometrika 34, 1947.
 *
 * @param low its lower end
 * @param high its upper end
 */
public record ConfidenceInterval(double low, double high) {

  /** How often it holds the truth, at the least. */
  static final double LEVEL = 0.95;

  /** How many numbers an interval needs. */
  public static final int LEAST_VALUES = 5;

  private static final int DRAWS = 9999;
  private static final long SEED = 42;

  /** That of the mean of {@code values}. */
  public static ConfidenceInterval ofMean(double[] values) {
    return ofDifference(null, values);
  }

  /** That of the mean of {@code values} less that of {@code bases}, which are independent. */
  static ConfidenceInterval ofDifference(double[] bases, double[] values) {
    requireEnough(values);
    Estimate all = Estimate.of(values);
    if (bases != null) {
      requireEnough(bases);
      all = all.less(Estimate.of(bases));
    }
    if (all.error() == 0) {
      return new ConfidenceInterval(all.mean(), all.mean());
    }
    double[] distances = distances(bases, values, all.mean());
    int tail = (int) Math.round((1 - LEVEL) / 2 * (DRAWS + 1)) - 1;
    double student = TDistribution.of(all.freedom()).inverseSurvivalProbability((1 - LEVEL) / 2);
    return new ConfidenceInterval(
        all.mean() - Math.max(distances[DRAWS - 1 - tail], student) * all.error(),
        all.mean() - Math.min(distances[tail], -student) * all.error());
  }

  boolean holds(double value) {
    return low <= value && value <= high;
  }

  /** Of each draw: how many of its own standard errors its estimate is off; sorted. */
  private static double[] distances(double[] bases, double[] values, double estimate) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] distances = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      Estimate drawn = Estimate.of(draw(values, random));
      if (bases != null) {
        drawn = drawn.less(Estimate.of(draw(bases, random)));
      }
      double off = drawn.mean() - estimate;
      // One number drawn again and again has no error of its own: then it is endlessly far off.
      distances[i] = off == 0 ? 0 : off / drawn.error();
    }
    Arrays.sort(distances);
    return distances;
  }

  private static double[] draw(double[] values, SplittableRandom random) {
    double[] draw = new double[values.length];
    for (int i = 0; i < draw.length; i++) {
      draw[i] = values[random.nextInt(values.length)];
    }
    return draw;
  }

  private static void requireEnough(double[] values) {
    if (values.length < LEAST_VALUES) {
      throw new IllegalArgumentException(
          "values must be at least " + LEAST_VALUES + ": " + values.length);
    }
  }

  /**
   * A mean and its standard error.
   *
   * @param freedom degrees of it
   */
  private record Estimate(double mean, double error, double freedom) {

    static Estimate of(double[] values) {
      double sum = 0;
      for (double value : values) {
        sum += value;
      }
      double mean = sum / values.length;
      double squares = 0;
      for (double value : values) {
        squares += (value - mean) * (value - mean);
      }
      int freedom = values.length - 1;
      return new Estimate(mean, Math.sqrt(squares / freedom / values.length), freedom);
    }

    Estimate less(Estimate other) {
      double both = Math.hypot(error, other.error);
      return new Estimate(
          mean - other.mean,
          both,
          Math.pow(both, 4)
              / (Math.pow(error, 4) / freedom + Math.pow(other.error, 4) / other.freedom));
    }
  }
}
