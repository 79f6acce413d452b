package io.weir.report.compare;

import io.weir.stress.result.RunFigure;
import java.util.Arrays;
import java.util.List;

/**
 * How one thing differs from another in one figure, as a ratio.
 *
 * <p>Ratios are averaged as logarithms: twice as much in one round and half as much in the next is
 * no difference.
 *
 * @param name what is compared
 * @param figure in which
 * @param base the median of what it is compared with
 * @param value its own median
 * @param ratio the mean ratio; 1 is no difference
 * @param low lower end of the interval of {@code ratio}; NaN when rounds are too few for one
 * @param high its upper end
 * @param rounds that it rests on: of two runs the fewer
 */
public record Difference(
    String name,
    RunFigure figure,
    double base,
    double value,
    double ratio,
    double low,
    double high,
    int rounds) {

  /** What may be said of it. */
  public enum Verdict {
    TOO_FEW_ROUNDS("too few rounds"),
    NONE("no detectable difference"),
    LOWER("lower"),
    HIGHER("higher");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    /** In words. */
    public String label() {
      return label;
    }
  }

  /** Values of one round: of the arm it is compared with, and its own. */
  record Pair(double base, double value) {}

  /**
   * Of two arms in the same rounds: each round's value over the other's, so that what changes from
   * round to round on a machine changes both. At least one round; every value is greater than 0.
   */
  static Difference paired(String name, RunFigure figure, List<Pair> pairs) {
    double[] logarithms = pairs.stream().mapToDouble(p -> Math.log(p.value() / p.base())).toArray();
    return of(
        name,
        figure,
        pairs.stream().mapToDouble(Pair::base).toArray(),
        pairs.stream().mapToDouble(Pair::value).toArray(),
        logarithms.length < ConfidenceInterval.LEAST_VALUES
            ? null
            : ConfidenceInterval.ofMean(logarithms));
  }

  /** Of two runs, whose rounds have nothing to do with each other; values as above. */
  static Difference unpaired(String name, RunFigure figure, double[] bases, double[] values) {
    return of(
        name,
        figure,
        bases,
        values,
        Math.min(bases.length, values.length) < ConfidenceInterval.LEAST_VALUES
            ? null
            : ConfidenceInterval.ofDifference(logarithms(bases), logarithms(values)));
  }

  /** Lower or higher only when the whole interval is. */
  public Verdict verdict() {
    if (Double.isNaN(low)) {
      return Verdict.TOO_FEW_ROUNDS;
    }
    if (low <= 1 && high >= 1) {
      return Verdict.NONE;
    }
    return high < 1 ? Verdict.LOWER : Verdict.HIGHER;
  }

  private static Difference of(
      String name, RunFigure figure, double[] bases, double[] values, ConfidenceInterval interval) {
    double mean = mean(logarithms(values)) - mean(logarithms(bases));
    return new Difference(
        name,
        figure,
        RunFigure.median(bases),
        RunFigure.median(values),
        Math.exp(mean),
        interval == null ? Double.NaN : Math.exp(interval.low()),
        interval == null ? Double.NaN : Math.exp(interval.high()),
        Math.min(bases.length, values.length));
  }

  private static double[] logarithms(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
