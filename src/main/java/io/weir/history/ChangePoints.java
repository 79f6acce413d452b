package io.weir.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Where series of numbers change their level beyond noise.
 *
 * <p>In a stretch of n numbers, the cut after the first k is measured by the distance of the two
 * means in standard deviations of the whole, times the square root of k (n - k) / n; the largest of
 * these over k is the statistic of the stretch. Numbers above 0 are compared by their logarithms.
 * Were all numbers of one kind, every order of them would be as likely. So each stretch is shuffled
 * {@value #SHUFFLES} times, and the chance of a cut is how often the largest statistic among
 * <em>all</em> series is as large in shuffled stretches. A cut is a change when its chance is at
 * most the given one. Then the same is done with the two parts of each stretch that was cut, and so
 * on.
 *
 * <p><b>False alarms:</b> if no series changes, the chance that any of them has a change at all is
 * at most the given one, however many series there are and whatever their noise, as long as
 * successive numbers are independent. After a true change, so is the chance that the parts beside
 * it have another one. It is the chance of one look: who looks every night at a growing history
 * looks often.
 *
 * <p>A part has at least {@value #LEAST_PART} numbers. With a chance of 0.02 a change is found in
 * nine numbers at the earliest.
 *
 * <p>Source: Page, Continuous Inspection Schemes, Biometrika 41, 1954 (sums of deviations);
 * Westfall and Young, Resampling-Based Multiple Testing, 1993 (the largest statistic of all);
 * Matteson and James, A Nonparametric Approach for Multiple Change Point Analysis, JASA 109, 2014
 * (cuts one after another by a permutation test).
 */
public final class ChangePoints {

  /** The fewest numbers on each side of a change. */
  static final int LEAST_PART = 3;

  private static final int SHUFFLES = 4999;
  private static final long SEED = 42;

  /** Two ways to sum the same numbers may differ by so much, relatively. */
  private static final double ROUNDING = 1e-9;

  private final double falseAlarms;
  private final int shuffles;

  /**
   * A test.
   *
   * @param falseAlarms the largest chance that series without a change have one; at least that of
   *     one shuffle
   */
  public ChangePoints(double falseAlarms) {
    this(falseAlarms, SHUFFLES);
  }

  ChangePoints(double falseAlarms, int shuffles) {
    double least = 1.0 / (shuffles + 1); // the clearest of all shuffles counts as one
    if (!(falseAlarms >= least && falseAlarms < 1)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "false-alarms must be a share of at least %.4f and below 1: %s",
              least,
              falseAlarms));
    }
    this.falseAlarms = falseAlarms;
    this.shuffles = shuffles;
  }

  /**
   * A change of level. A level is the geometric mean of a stretch if all numbers beside the change
   * are above 0, else the mean.
   *
   * @param series which series it is in
   * @param at the first number of the new level
   * @param before the level before it, back to the change before
   * @param after the level from it on, up to the next change
   * @param chance how often shuffled series have as clear a cut anywhere
   */
  public record Change(int series, int at, double before, double after, double chance) {}

  /** A part of a series. */
  private record Stretch(int series, int from, int to) {}

  /** The clearest cut of a stretch. */
  private record Cut(double statistic, int at) {}

  /** A cut that is a change. */
  private record Found(Stretch stretch, int at, double chance) {}

  /** The changes in all series, by series and place; the same numbers give the same changes. */
  public List<Change> in(List<double[]> series) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<Found> all = new ArrayList<>();
    List<Stretch> stretches = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      stretches.add(new Stretch(i, 0, series.get(i).length));
    }
    while (!stretches.isEmpty()) {
      stretches.removeIf(stretch -> stretch.to() - stretch.from() < 2 * LEAST_PART);
      List<Found> found = changes(series, stretches, random);
      stretches = new ArrayList<>();
      for (Found change : found) {
        Stretch cut = change.stretch();
        stretches.add(new Stretch(cut.series(), cut.from(), change.at()));
        stretches.add(new Stretch(cut.series(), change.at(), cut.to()));
      }
      all.addAll(found);
    }
    return levels(series, all);
  }

  private List<Found> changes(
      List<double[]> series, List<Stretch> stretches, SplittableRandom random) {
    List<double[]> values = new ArrayList<>();
    List<Cut> cuts = new ArrayList<>();
    for (Stretch stretch : stretches) {
      double[] standard = standard(series.get(stretch.series()), stretch);
      values.add(standard);
      cuts.add(cut(standard));
    }
    int[] asClear = new int[cuts.size()];
    for (int i = 0; i < shuffles; i++) {
      double largest = 0;
      for (double[] one : values) {
        shuffle(one, random);
        largest = Math.max(largest, cut(one).statistic());
      }
      for (int j = 0; j < asClear.length; j++) {
        if (largest >= cuts.get(j).statistic() * (1 - ROUNDING)) {
          asClear[j]++;
        }
      }
    }
    List<Found> found = new ArrayList<>();
    for (int j = 0; j < asClear.length; j++) {
      double chance = (asClear[j] + 1.0) / (shuffles + 1);
      if (chance <= falseAlarms) {
        Stretch stretch = stretches.get(j);
        found.add(new Found(stretch, stretch.from() + cuts.get(j).at(), chance));
      }
    }
    return found;
  }

  /**
   * Less the mean, in standard deviations; all 0 if all are the same. Of numbers above 0 the
   * logarithms are taken: what disturbs a machine makes a rate so many times as slow.
   */
  private static double[] standard(double[] series, Stretch stretch) {
    double[] standard = Arrays.copyOfRange(series, stretch.from(), stretch.to());
    if (arePositive(standard, 0, standard.length)) {
      Arrays.setAll(standard, i -> Math.log(standard[i]));
    }
    int length = standard.length;
    double mean = mean(standard, 0, length);
    double squares = 0;
    for (double value : standard) {
      squares += (value - mean) * (value - mean);
    }
    double deviation = Math.sqrt(squares / length);
    boolean same = deviation <= ROUNDING * Math.max(1, Math.abs(mean));
    Arrays.setAll(standard, i -> same ? 0 : (standard[i] - mean) / deviation);
    return standard;
  }

  /** The clearest cut of numbers whose mean is 0. */
  private static Cut cut(double[] standard) {
    int length = standard.length;
    double largest = 0;
    int at = LEAST_PART;
    double sum = 0;
    for (int k = 1; k <= length - LEAST_PART; k++) {
      sum += standard[k - 1];
      if (k >= LEAST_PART) {
        // The distance of the means is sum/k + sum/(n-k), since all together sum up to 0.
        double statistic = Math.abs(sum) * Math.sqrt((double) length / k / (length - k));
        if (statistic > largest) {
          largest = statistic;
          at = k;
        }
      }
    }
    return new Cut(largest, at);
  }

  private static void shuffle(double[] values, SplittableRandom random) {
    for (int i = values.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      double held = values[i];
      values[i] = values[j];
      values[j] = held;
    }
  }

  private static List<Change> levels(List<double[]> series, List<Found> found) {
    List<Found> sorted =
        found.stream()
            .sorted(
                Comparator.comparingInt((Found change) -> change.stretch().series())
                    .thenComparingInt(Found::at))
            .toList();
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      int number = sorted.get(i).stretch().series();
      double[] values = series.get(number);
      boolean sameBefore = i > 0 && sorted.get(i - 1).stretch().series() == number;
      boolean sameAfter = i + 1 < sorted.size() && sorted.get(i + 1).stretch().series() == number;
      int from = sameBefore ? sorted.get(i - 1).at() : 0;
      int to = sameAfter ? sorted.get(i + 1).at() : values.length;
      int at = sorted.get(i).at();
      boolean byLogarithm = arePositive(values, from, to);
      changes.add(
          new Change(
              number,
              at,
              level(values, from, at, byLogarithm),
              level(values, at, to, byLogarithm),
              sorted.get(i).chance()));
    }
    return changes;
  }

  /** The level of at least one number. */
  static double level(double[] values) {
    return level(values, 0, values.length, arePositive(values, 0, values.length));
  }

  /** What the test compares: one number far off moves a mean, and hardly a mean of logarithms. */
  private static double level(double[] values, int from, int to, boolean byLogarithm) {
    return byLogarithm
        ? Math.exp(Arrays.stream(values, from, to).map(Math::log).average().orElseThrow())
        : mean(values, from, to);
  }

  private static boolean arePositive(double[] values, int from, int to) {
    return Arrays.stream(values, from, to).allMatch(value -> value > 0);
  }

  private static double mean(double[] values, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    return sum / (to - from);
  }
}
