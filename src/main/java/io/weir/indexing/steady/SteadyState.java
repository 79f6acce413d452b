package io.weir.indexing.steady;

import io.weir.report.compare.ConfidenceInterval;
import java.util.Arrays;
import java.util.Comparator;
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
 * <p>A rate often repeats in cycles: it dips while a buffer is flushed. The rule cuts off a dip
 * that lies at an end, but keeps the text that this dip wrote, so the mean would be too high.
 * Therefore both ends move to ends of cycles: the start to the first one that follows, the end to
 * the nearest.
 *
 * <p>The interval is that of the mean of up to {@value #PARTS} parts, each of whole cycles, so that
 * what repeats in a cycle makes parts neither alike nor different.
 *
 * <p>The rate drifts when {@link #MOST_DRIFT} parts the mean of the second half from that of the
 * first, and Mann-Whitney's test on ten parts of each finds that a steady rate would seldom do so.
 * The halves have whole cycles. Their parts may be shorter than a cycle, but both halves then have
 * the same dips, which only makes a drift harder to find.
 *
 * @param from the first value that is not cut off
 * @param to the first that is cut off at the end
 * @param settled whether the rule cuts where it wants to, and not at the most that it may cut
 * @param interval of the mean, with 95 % confidence; empty with fewer than five cycles
 * @param earlier the mean of the first half
 * @param later the mean of the second half
 * @param chance of a difference as large or larger between halves of a steady rate; empty where the
 *     test cannot tell
 */
public record SteadyState(
    int from,
    int to,
    boolean settled,
    Optional<ConfidenceInterval> interval,
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

  /** What the rule leaves. */
  private record Cut(int from, int to, boolean settled) {}

  /**
   * The steady part of {@code rates}; empty for too few.
   *
   * @param rates one value for each equal step of time
   * @param cycleEnds the values before which a cycle has ended, ascending; 0 where the first begins
   */
  public static Optional<SteadyState> of(double[] rates, int[] cycleEnds) {
    return rates.length / GROUP < LEAST_GROUPS
        ? Optional.empty()
        : Optional.of(of(rates, cut(rates), cycleEnds));
  }

  /** Whether the rate grew or fell while it should have been steady. */
  public boolean drifts() {
    return chance.filter(p -> p < LEVEL).isPresent()
        && Math.abs(later - earlier) > MOST_DRIFT * Math.max(earlier, later);
  }

  private static Cut cut(double[] rates) {
    int count = rates.length / GROUP;
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
    return new Cut(
        bestFrom * GROUP,
        bestTo == count ? rates.length : bestTo * GROUP,
        bestFrom < mostCutAtStart && bestTo > count - mostCutAtEnd);
  }

  private static SteadyState of(double[] rates, Cut cut, int[] cycleEnds) {
    int[] cycles = cycles(cut, cycleEnds);
    int from = cycles[0];
    int to = cycles[cycles.length - 1];
    int middle = middle(cycles);
    double[] earlier = parts(rates, from, middle);
    double[] later = parts(rates, middle, to);
    double chance = MannWhitneyUTest.withDefaults().test(earlier, later).getPValue();
    return new SteadyState(
        from,
        to,
        cut.settled(),
        interval(rates, cycles),
        mean(rates, from, middle),
        mean(rates, middle, to),
        Double.isNaN(chance) ? Optional.empty() : Optional.of(chance));
  }

  /**
   * The start of the first whole cycle and the end of each. Where no cycle fits, all that the rule
   * leaves counts as one. A cycle that begins within the group before the cut is whole: the rule
   * sees no finer than a group.
   */
  private static int[] cycles(Cut cut, int[] cycleEnds) {
    int[] ends = Arrays.stream(cycleEnds).filter(end -> end >= cut.from() - GROUP).toArray();
    int from = nearest(ends, cut.from(), cut.to());
    int to = nearest(cycleEnds, cut.to(), cut.from());
    return to - from < 2 // two halves need as many values
        ? new int[] {cut.from(), cut.to()}
        : Arrays.stream(cycleEnds).filter(end -> from <= end && end <= to).toArray();
  }

  /** The end of a cycle next to the middle; of a single cycle the middle itself. */
  private static int middle(int[] cycles) {
    int middle = (cycles[0] + cycles[cycles.length - 1]) / 2;
    return nearest(Arrays.copyOfRange(cycles, 1, cycles.length - 1), middle, middle);
  }

  private static int nearest(int[] ends, int to, int withoutEnds) {
    return Arrays.stream(ends)
        .boxed()
        .min(Comparator.comparingInt(end -> Math.abs(end - to)))
        .orElse(withoutEnds);
  }

  private static Optional<ConfidenceInterval> interval(double[] rates, int[] cycles) {
    int count = cycles.length - 1;
    double[] parts = new double[Math.min(PARTS, count)];
    for (int i = 0; i < parts.length; i++) {
      parts[i] =
          mean(rates, cycles[count * i / parts.length], cycles[count * (i + 1) / parts.length]);
    }
    return parts.length < ConfidenceInterval.LEAST_VALUES
        ? Optional.empty()
        : Optional.of(ConfidenceInterval.ofMean(parts));
  }

  private static double[] parts(double[] rates, int from, int to) {
    double[] parts = new double[Math.min(PARTS, to - from)];
    for (int i = 0; i < parts.length; i++) {
      parts[i] =
          mean(
              rates,
              from + (int) ((long) (to - from) * i / parts.length),
              from + (int) ((long) (to - from) * (i + 1) / parts.length));
    }
    return parts;
  }

  private static double mean(double[] values, int from, int to) {
    return Arrays.stream(values, from, to).sum() / (to - from);
  }
}
