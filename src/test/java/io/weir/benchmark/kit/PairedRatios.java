package io.weir.benchmark.kit;

import java.util.Arrays;
import java.util.Random;

/**
 * What one arm needs over what another does, pair by pair: what the machine does to both of a pair
 * falls out.
 *
 * @param median of the ratios
 * @param low lower end of the interval that holds the median with 95 % confidence
 * @param high its upper end
 */
public record PairedRatios(double median, double low, double high) {

  private static final int RESAMPLES = 10_000;
  private static final long SEED = 42;

  /** Of two rows of figures, pair by pair; the interval is the bootstrap's, by percentiles. */
  public static PairedRatios of(double[] ours, double[] theirs) {
    double[] ratios = new double[ours.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ours[i] / theirs[i];
    }
    Random random = new Random(SEED);
    double[] medians = new double[RESAMPLES];
    double[] drawn = new double[ratios.length];
    for (int i = 0; i < RESAMPLES; i++) {
      for (int k = 0; k < drawn.length; k++) {
        drawn[k] = ratios[random.nextInt(ratios.length)];
      }
      medians[i] = median(drawn);
    }
    Arrays.sort(medians);
    return new PairedRatios(
        median(ratios), medians[RESAMPLES / 40], medians[RESAMPLES - 1 - RESAMPLES / 40]);
  }

  /** The middle one, or between the two middle ones. */
  public static double median(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
