package io.weir.report.compare;

import io.weir.stress.result.RunFigure;
import java.util.Arrays;
import java.util.List;

/**
 * How one arm differs from another in one figure: each round's value over the other's of the same
 * round, so that what changes from round to round on a machine changes both.
 *
 * <p>Ratios are averaged as logarithms: twice as much in one round and half as much in the next is
 * no difference.
 *
 * @param arm the one that is compared
 * @param figure in which
 * @param base the median of the arm that it is compared with
 * @param value its own median
 * @param ratio the mean ratio; 1 is no difference
 * @param low lower end of the interval of {@code ratio}; NaN when rounds are too few for one
 * @param high its upper end
 * @param rounds in which both were measured
 */
public record PairedDifference(
    String arm,
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

  /** Of at least one round; every value is greater than 0. */
  static PairedDifference of(String arm, RunFigure figure, List<Pair> pairs) {
    double[] logarithms = pairs.stream().mapToDouble(p -> Math.log(p.value() / p.base())).toArray();
    double low = Double.NaN;
    double high = Double.NaN;
    if (logarithms.length >= BootstrapInterval.LEAST_VALUES) {
      BootstrapInterval interval = BootstrapInterval.ofMean(logarithms);
      low = Math.exp(interval.low());
      high = Math.exp(interval.high());
    }
    return new PairedDifference(
        arm,
        figure,
        median(pairs.stream().mapToDouble(Pair::base).toArray()),
        median(pairs.stream().mapToDouble(Pair::value).toArray()),
        Math.exp(Arrays.stream(logarithms).average().orElseThrow()),
        low,
        high,
        logarithms.length);
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

  private static double median(double[] values) {
    Arrays.sort(values);
    int middle = values.length / 2;
    return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
}
