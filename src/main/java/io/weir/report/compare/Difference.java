package io.weir.report.compare;

import io.weir.run.RunFigure;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The difference of one thing from another in one figure, as a ratio.
 *
 * <p>Ratios are averaged as logarithms: twice as much in one round and half as much in the next
 * make no difference.
 *
 * @param name what is compared
 * @param figure what is measured
 * @param base the median of the base
 * @param value the median of {@code name}
 * @param ratio the mean ratio; 1 is no difference
 * @param interval of {@code ratio}; empty when rounds are too few for one
 * @param rounds how many rounds it rests on; for two runs, the smaller number
 */
public record Difference(
    String name,
    RunFigure figure,
    double base,
    double value,
    double ratio,
    Optional<ConfidenceInterval> interval,
    int rounds) {

  /** What the interval allows to say. */
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

  /** The values of one round: the base's and the other arm's. */
  record Pair(double base, double value) {}

  /**
   * Compares two arms round by round, so that whatever changes on the machine between rounds
   * changes both. At least one round; every value is greater than 0.
   */
  static Difference paired(String name, RunFigure figure, List<Pair> pairs) {
    double[] logarithms = pairs.stream().mapToDouble(p -> Math.log(p.value() / p.base())).toArray();
    return of(
        name,
        figure,
        pairs.stream().mapToDouble(Pair::base).toArray(),
        pairs.stream().mapToDouble(Pair::value).toArray(),
        logarithms.length < ConfidenceInterval.LEAST_VALUES
            ? Optional.empty()
            : Optional.of(ConfidenceInterval.ofMean(logarithms)));
  }

  /** Compares two runs, whose rounds are independent. Every value is greater than 0. */
  static Difference unpaired(String name, RunFigure figure, double[] bases, double[] values) {
    return of(
        name,
        figure,
        bases,
        values,
        Math.min(bases.length, values.length) < ConfidenceInterval.LEAST_VALUES
            ? Optional.empty()
            : Optional.of(ConfidenceInterval.ofDifference(logarithms(bases), logarithms(values))));
  }

  /** Lower or higher only when the whole interval is on that side of 1. */
  public Verdict verdict() {
    return interval
        .map(
            ends -> ends.holds(1) ? Verdict.NONE : ends.high() < 1 ? Verdict.LOWER : Verdict.HIGHER)
        .orElse(Verdict.TOO_FEW_ROUNDS);
  }

  private static Difference of(
      String name,
      RunFigure figure,
      double[] bases,
      double[] values,
      Optional<ConfidenceInterval> interval) {
    double mean = mean(logarithms(values)) - mean(logarithms(bases));
    return new Difference(
        name,
        figure,
        RunFigure.median(bases),
        RunFigure.median(values),
        Math.exp(mean),
        interval.map(e -> new ConfidenceInterval(Math.exp(e.low()), Math.exp(e.high()))),
        Math.min(bases.length, values.length));
  }

  private static double[] logarithms(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
