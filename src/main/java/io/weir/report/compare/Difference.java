package io.weir.report.compare;

import io.weir.run.RunFigure;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The difference of one thing from another in one figure, as a ratio.
 *
 * <p>Ratios are averaged as logarithms: twice as much in one round and half as much in the next
 * make no difference. So the means beside the ratio are geometric, of the same rounds: the ratio is
 * that of the two numbers.
 *
 * @param name what is compared
 * @param figure what is measured
 * @param base the mean of the base
 * @param value the mean of {@code name}
 * @param ratio {@code value / base}; 1 is no difference
 * @param interval of {@code ratio}; empty when rounds are too few for one
 * @param rounds how many rounds it rests on; for two runs, the smaller number
 * @param isJudged whether there may be a verdict on it
 */
public record Difference(
    String name,
    RunFigure figure,
    double base,
    double value,
    double ratio,
    Optional<ConfidenceInterval> interval,
    int rounds,
    boolean isJudged) {

  /** Two things are the same when they differ by less than this, with the interval's certainty. */
  public static final double MARGIN = 0.05;

  /** What the interval allows to say. */
  public enum Verdict {
    /** Of a figure that is shown, and not judged: of many, some would differ by chance. */
    NOT_JUDGED(""),
    TOO_FEW_ROUNDS("too few rounds"),
    NONE("no detectable difference"),
    /** A test of equivalence: the whole interval is within {@link #MARGIN}. */
    SAME("the same within 5 %"),
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

  /**
   * How sure an interval is.
   *
   * @param level of its interval, between 0 and 1
   * @param isJudged whether there may be a verdict
   */
  record Judgement(double level, boolean isJudged) {

    /** Of figures that are only shown, each alone. */
    static final Judgement SHOWN = new Judgement(ConfidenceInterval.LEVEL, false);

    /** Of one of {@code count} that are judged: with the usual certainty all are right together. */
    static Judgement oneOf(int count) {
      return new Judgement(1 - (1 - ConfidenceInterval.LEVEL) / Math.max(1, count), true);
    }
  }

  /** The values of one round: the base's and the other arm's. */
  record Pair(double base, double value) {}

  /**
   * Compares two arms round by round, so that whatever changes on the machine between rounds
   * changes both. At least one round; every value is greater than 0.
   */
  static Difference paired(String name, RunFigure figure, List<Pair> pairs, Judgement judgement) {
    double[] logarithms = pairs.stream().mapToDouble(p -> Math.log(p.value() / p.base())).toArray();
    return of(
        name,
        figure,
        pairs.stream().mapToDouble(Pair::base).toArray(),
        pairs.stream().mapToDouble(Pair::value).toArray(),
        logarithms.length < ConfidenceInterval.LEAST_VALUES
            ? Optional.empty()
            : Optional.of(ConfidenceInterval.ofMean(logarithms, judgement.level())),
        judgement.isJudged());
  }

  /** Compares two runs, whose rounds are independent. Every value is greater than 0. */
  static Difference unpaired(
      String name, RunFigure figure, double[] bases, double[] values, Judgement judgement) {
    return of(
        name,
        figure,
        bases,
        values,
        Math.min(bases.length, values.length) < ConfidenceInterval.LEAST_VALUES
            ? Optional.empty()
            : Optional.of(
                ConfidenceInterval.ofDifference(
                    logarithms(bases), logarithms(values), judgement.level())),
        judgement.isJudged());
  }

  /** Lower or higher only when the whole interval is on that side of 1. */
  public Verdict verdict() {
    if (!isJudged) {
      return Verdict.NOT_JUDGED;
    }
    return interval.map(Difference::verdict).orElse(Verdict.TOO_FEW_ROUNDS);
  }

  /** Whether there is an interval, and 1 is not in it. */
  public boolean isApart() {
    return interval.filter(ends -> !ends.holds(1)).isPresent();
  }

  private static Verdict verdict(ConfidenceInterval ends) {
    if (!ends.holds(1)) {
      return ends.high() < 1 ? Verdict.LOWER : Verdict.HIGHER;
    }
    boolean isWithin = ends.high() <= 1 + MARGIN && ends.low() >= 1 / (1 + MARGIN);
    return isWithin ? Verdict.SAME : Verdict.NONE;
  }

  /**
   * The smallest difference that these rounds could have seen, as a part of the base: 0.12 if one
   * of 12 % would have left no 1 in an interval of this width. Empty without an interval.
   */
  public Optional<Double> leastSeen() {
    return interval.map(ends -> Math.max(ends.high() / ratio, ratio / ends.low()) - 1);
  }

  private static Difference of(
      String name,
      RunFigure figure,
      double[] bases,
      double[] values,
      Optional<ConfidenceInterval> interval,
      boolean isJudged) {
    double base = mean(logarithms(bases));
    double value = mean(logarithms(values));
    return new Difference(
        name,
        figure,
        Math.exp(base),
        Math.exp(value),
        Math.exp(value - base),
        interval.map(e -> new ConfidenceInterval(Math.exp(e.low()), Math.exp(e.high()))),
        Math.min(bases.length, values.length),
        isJudged);
  }

  private static double[] logarithms(double[] values) {
    return Arrays.stream(values).map(Math::log).toArray();
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
