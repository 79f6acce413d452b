package io.weir.stress.plan;

import io.weir.run.Part;
import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A service level objective: what a figure of an arm must not exceed, or must reach.
 *
 * <p>Of several rounds the median counts. What was not measured is not met.
 *
 * @param text as the user gave it
 * @param arm the arm that must meet it; empty for all arms except {@code base}
 * @param figure the figure that is compared
 * @param relation of the figure to the bound
 * @param bound in the unit of the figure, or as a ratio to {@code base}
 * @param base the arm that {@code bound} is a ratio to, round by round; empty for a plain bound
 */
public record Slo(
    String text,
    Optional<String> arm,
    RunFigure figure,
    Relation relation,
    double bound,
    Optional<String> base) {

  private static final String RATIO_UNIT = "x";

  /** How a value must stand to the bound. */
  public enum Relation {
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">=");

    private final String sign;

    Relation(String sign) {
      this.sign = sign;
    }

    /** As it is written. */
    public String sign() {
      return sign;
    }

    /** Whether values must stay below. */
    public boolean isUpperBound() {
      return this == LESS || this == AT_MOST;
    }

    boolean holds(double value, double bound) {
      return switch (this) {
        case LESS -> value < bound;
        case AT_MOST -> value <= bound;
        case GREATER -> value > bound;
        case AT_LEAST -> value >= bound;
      };
    }
  }

  /** Refuses a bound that no value could be held against. */
  public Slo {
    Objects.requireNonNull(figure, "figure");
    Objects.requireNonNull(relation, "relation");
    if (!(bound >= 0) || Double.isInfinite(bound)) {
      throw new IllegalArgumentException("slo must have a bound of at least 0: '" + text + "'");
    }
    if (arm.isPresent() && arm.equals(base)) {
      throw new IllegalArgumentException(
          "slo must name another arm to compare with: '" + text + "'");
    }
  }

  /** The arms that it names. */
  List<String> names() {
    List<String> names = new ArrayList<>();
    arm.ifPresent(names::add);
    base.ifPresent(names::add);
    return names;
  }

  /**
   * Judges the arms that it is for.
   *
   * @param arms their names, in the order of the report
   * @param results of all rounds
   */
  public List<SloResult> judge(List<String> arms, List<Part> results) {
    return arms.stream()
        .filter(name -> arm.isEmpty() ? !base.equals(Optional.of(name)) : arm.get().equals(name))
        .map(name -> judge(name, results))
        .toList();
  }

  private SloResult judge(String name, List<Part> results) {
    List<Part> rounds = results.stream().filter(r -> r.name().equals(name)).toList();
    double[] values = new double[rounds.size()];
    for (int i = 0; i < values.length; i++) {
      Part round = rounds.get(i);
      Optional<Part> other = base.flatMap(b -> of(results, b, round.round()));
      Optional<String> missing =
          missing(round).or(() -> base.flatMap(b -> missing(b, round.round(), other)));
      if (missing.isPresent()) {
        return unknown(name, missing.get());
      }
      double value = figure.of(round).orElseThrow();
      values[i] = value / other.flatMap(figure::of).orElse(1.0);
    }
    return values.length == 0
        ? unknown(name, "it did not run")
        : known(name, RunFigure.median(values));
  }

  /**
   * Judges an arm whose rounds did not run beside those of another: a ratio is that of the medians.
   *
   * @param name the arm's
   * @param rounds of the arm
   * @param others the rounds of what a ratio is to; not looked at for a plain bound
   */
  public SloResult judge(String name, List<Part> rounds, List<Part> others) {
    Optional<String> missing =
        missing("it", rounds).or(() -> base.flatMap(b -> missing(b, others)));
    if (missing.isPresent()) {
      return unknown(name, missing.get());
    }
    double value = median(rounds) / (base.isPresent() ? median(others) : 1);
    return Double.isFinite(value)
        ? known(name, value)
        : unknown(name, base.orElseThrow() + " was 0");
  }

  private SloResult known(String name, double value) {
    boolean met = relation.holds(value, bound);
    return new SloResult(text, name, Optional.of(value), bound, unit(), met, Optional.empty());
  }

  private SloResult unknown(String name, String reason) {
    return new SloResult(text, name, Optional.empty(), bound, unit(), false, Optional.of(reason));
  }

  private String unit() {
    return base.isPresent() ? RATIO_UNIT : figure.unit();
  }

  private double median(List<Part> rounds) {
    return figure.median(rounds).orElseThrow();
  }

  private Optional<String> missing(String name, List<Part> rounds) {
    return rounds.isEmpty()
        ? Optional.of(name + " did not run")
        : rounds.stream().map(this::missing).flatMap(Optional::stream).findFirst();
  }

  private Optional<String> missing(String name, int round, Optional<Part> result) {
    return result.isEmpty()
        ? Optional.of("%s did not run in round %d".formatted(name, round))
        : missing(result.get());
  }

  private Optional<String> missing(Part result) {
    if (result.status() != Status.DONE) {
      return Optional.of(
          "%s did not end well in round %d".formatted(result.name(), result.round()));
    }
    return figure.of(result).isEmpty()
        ? Optional.of(
            "%s was not measured in round %d of %s"
                .formatted(figure.id(), result.round(), result.name()))
        : Optional.empty();
  }

  private static Optional<Part> of(List<Part> results, String name, int round) {
    return results.stream().filter(r -> r.name().equals(name) && r.round() == round).findFirst();
  }
}
