package io.weir.indexing.steady;

import io.weir.report.compare.ConfidenceInterval;
import java.util.Arrays;
import java.util.Optional;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * The steady part of a rate over time.
 *
 * <p>The cuts at start and end are those that leave the mean with the smallest marginal standard
 * error: the sum of squares about the mean, divided by the square of the number of values. A value
 * is cut off when it adds more to the scatter than a further value is worth. Values are averaged in
 * groups of {@value #GROUP} first. At most half is cut off at the start and a quarter at the end.
 *
 * <p>Source: White, An Effective Truncation Heuristic for Bias Reduction in Simulation Output,
 * Simulation 69, 1997 (MSER-5), which cuts the start alone; here the same rule cuts both ends.
 *
 * <p>The interval is that of the mean of {@value #PARTS} equal parts of what is left. Parts are
 * long, so that what repeats within one, such as a flush, makes them neither alike nor different.
 *
 * <p>The rate drifts when {@link #MOST_DRIFT} parts the mean of the second half from that of the
 * first, and Mann-Whitney's test on ten parts of each finds that a steady rate would seldom do so.
 *
 * @param from the first value that is not cut off
 * @param to the first that is cut off at the end
 * @param settled whether the cuts are where the rule wants them, and not at the most it may cut
 * @param mean of what is left
 * @param interval of the mean, with 95 % confidence
 * @param earlier the mean of the first half
 * @param later the mean of the second half
 * @param chance of a difference as large or larger between halves of a steady rate; empty where the
 *     test cannot tell
 */
public record SteadyState(
    int from,
    int to,
    boolean settled,
    double mean,
    ConfidenceInterval interval,
    double earlier,
    double later,
    Optional<Double> chance) {

  /** How many values are one of the rule's. */
  static final int GROUP = 5;

  /** Fewer groups cannot tell what is steady. */
  static final int LEAST_GROUPS = 20;

  /** The largest difference between halves that does not matter, as a share. */
  static final double MOST_DRIFT = 0.05;

  private static final double LEVEL = 0.01;
  private static final int PARTS = 10;

  /** The steady part of {@code rates}, one value for each equal step of time; empty for too few. */
  public static Optional<SteadyState> of(double[] rates) {
    int count = rates.length / GROUP;
    if (count < LEAST_GROUPS) {
      return Optional.empty();
    }
    int mostCutAtStart = count / 2;
    int mostCutAtEnd = count / 4;
    double[] sums = new double[count + 1];
    double[] squares = new double[count + 1];
    for (int i = 0; i < count; i++) {
      double value = mean(rates, i * GROUP, (i + 1) * GROUP);
      sums[i + 1] = sums[i] + value;
      squares[i + 1] = squares[i] + value * value;
    }
    int bestFrom = 0;
    int bestTo = count;
    double least = Double.POSITIVE_INFINITY;
    for (int from = 0; from <= mostCutAtStart; from++) {
      for (int to = count; to >= count - mostCutAtEnd; to--) {
        int length = to - from;
        double sum = sums[to] - sums[from];
        double scatter = Math.max(0, squares[to] - squares[from] - sum * sum / length);
        double error = scatter / length / length;
        if (error < least) {
          least = error;
          bestFrom = from;
          bestTo = to;
        }
      }
    }
    boolean settled = bestFrom < mostCutAtStart && bestTo > count - mostCutAtEnd;
    return Optional.of(
        of(rates, bestFrom * GROUP, bestTo == count ? rates.length : bestTo * GROUP, settled));
  }

  /** Whether the rate grew or fell while it should have been steady. */
  public boolean drifts() {
    return chance.filter(p -> p < LEVEL).isPresent()
        && Math.abs(later - earlier) > MOST_DRIFT * Math.max(earlier, later);
  }

  private static SteadyState of(double[] rates, int from, int to, boolean settled) {
    int middle = (from + to) / 2;
    double[] earlier = parts(rates, from, middle);
    double[] later = parts(rates, middle, to);
    double chance = MannWhitneyUTest.withDefaults().test(earlier, later).getPValue();
    return new SteadyState(
        from,
        to,
        settled,
        mean(rates, from, to),
        ConfidenceInterval.ofMean(parts(rates, from, to)),
        mean(rates, from, middle),
        mean(rates, middle, to),
        Double.isNaN(chance) ? Optional.empty() : Optional.of(chance));
  }

  private static double[] parts(double[] rates, int from, int to) {
    double[] parts = new double[PARTS];
    for (int i = 0; i < PARTS; i++) {
      parts[i] =
          mean(
              rates,
              from + (int) ((long) (to - from) * i / PARTS),
              from + (int) ((long) (to - from) * (i + 1) / PARTS));
    }
    return parts;
  }

  private static double mean(double[] values, int from, int to) {
    return Arrays.stream(values, from, to).sum() / (to - from);
  }
}
