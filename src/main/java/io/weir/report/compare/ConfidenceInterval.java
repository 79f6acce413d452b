package io.weir.report.compare;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A confidence interval of a mean, or of the difference of two means: the union of the studentised
 * bootstrap's interval and Student's t interval, or Welch's for two samples.
 *
 * <p>The bootstrap resamples the numbers many times and measures how far each resample's mean is
 * from the mean, in standard errors of the resample. It therefore knows how little five numbers
 * say. The plain percentile bootstrap never leaves the range of the numbers, so with five it errs
 * at least one time in sixteen. Student's t assumes a normal distribution, which five numbers
 * cannot refute. Each interval alone errs about as often as it claims; their union errs less often,
 * because a reported difference must be real.
 *
 * <p>Fewer than {@value #LEAST_VALUES} numbers have no interval. The same numbers in the same order
 * always give the same interval. Source: Efron and Tibshirani, An Introduction to the Bootstrap,
 * 1993, chapter 12.5; Welch, The generalization of Student's problem, Biometrika 34, 1947.
 *
 * @param low its lower end
 * @param high its upper end
 */
public record ConfidenceInterval(double low, double high) {

  /** The least probability with which it contains the true value. */
  static final double LEVEL = 0.95;

  /** How many numbers an interval needs. */
  public static final int LEAST_VALUES = 5;

  private static final int DRAWS = 9999;
  private static final long SEED = 42;

  /** The interval of the mean of {@code values}. */
  public static ConfidenceInterval ofMean(double[] values) {
    return ofMean(values, LEVEL);
  }

  /**
   * The same at another level.
   *
   * @param level the least probability with which the interval contains the mean
   */
  static ConfidenceInterval ofMean(double[] values, double level) {
    return of(Optional.empty(), values, level);
  }

  /** The interval of the mean of {@code values} minus the mean of the independent {@code bases}. */
  static ConfidenceInterval ofDifference(double[] bases, double[] values, double level) {
    return of(Optional.of(bases), values, level);
  }

  private static ConfidenceInterval of(Optional<double[]> bases, double[] values, double level) {
    requireEnough(values);
    Estimate all = Estimate.of(values);
    if (bases.isPresent()) {
      requireEnough(bases.get());
      all = all.less(Estimate.of(bases.get()));
    }
    if (all.error() == 0) {
      return new ConfidenceInterval(all.mean(), all.mean());
    }
    double[] distances = distances(bases, values, all.mean());
    int tail = (int) Math.round((1 - level) / 2 * (DRAWS + 1)) - 1;
    double student = TDistribution.of(all.freedom()).inverseSurvivalProbability((1 - level) / 2);
    return new ConfidenceInterval(
        all.mean() - Math.max(distances[DRAWS - 1 - tail], student) * all.error(),
        all.mean() - Math.min(distances[tail], -student) * all.error());
  }

  boolean holds(double value) {
    return low <= value && value <= high;
  }

  /** For each resample, its distance from the estimate in its own standard errors; sorted. */
  private static double[] distances(Optional<double[]> bases, double[] values, double estimate) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] distances = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      Estimate drawn = Estimate.of(draw(values, random));
      if (bases.isPresent()) {
        drawn = drawn.less(Estimate.of(draw(bases.get(), random)));
      }
      double off = drawn.mean() - estimate;
      // A resample of one repeated number has no standard error; its distance is infinite.
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
