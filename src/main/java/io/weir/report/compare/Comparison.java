package io.weir.report.compare;

import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The arms of a run against its first arm. An arm that a round did not finish is left out of that
 * round, and so is one before which the machine had changed.
 *
 * @param base the first arm's name
 * @param rounds of the run
 * @param differences by figure, then by arm in the order of the run; without figures that no round
 *     measured in both arms
 * @param overloaded the arms that could not bear their load, a sentence for each
 * @param changed why arms are left out: what the machine did before them
 */
public record Comparison(
    String base,
    int rounds,
    List<Difference> differences,
    List<String> overloaded,
    List<String> changed) {

  /**
   * The figures that have a verdict: what readers feel, and what it costs. The intervals of a run's
   * verdicts are so wide that all of them hold together at {@link #LEVEL_PERCENT}. Other figures
   * have an interval, each alone: of twenty, one misses by chance.
   */
  static Set<RunFigure> judged(LatencyTail tail) {
    return EnumSet.of(tail.figure(), RunFigure.MERGE_SECONDS);
  }

  /** The figures by which some arms are compared: the usual ones that are known, and the judged. */
  static Set<RunFigure> compared(LatencyTail tail, Collection<Part> parts) {
    Set<RunFigure> figures = EnumSet.copyOf(RunFigure.compared());
    figures.removeIf(figure -> !figure.isKnown(parts));
    if (!figures.contains(RunFigure.SEARCH_P99)) {
      figures.add(
          RunFigure.SEARCH_P90.isKnown(parts) ? RunFigure.SEARCH_P90 : RunFigure.SEARCH_MAX);
    }
    figures.addAll(judged(tail));
    return figures;
  }

  /** The fewest rounds that have an interval. */
  public static final int LEAST_ROUNDS = ConfidenceInterval.LEAST_VALUES;

  /** The confidence level of an interval, in per cent. */
  public static final int LEVEL_PERCENT = (int) Math.round(ConfidenceInterval.LEVEL * 100);

  /** Copies the lists. */
  public Comparison {
    differences = List.copyOf(differences);
    overloaded = List.copyOf(overloaded);
    changed = List.copyOf(changed);
  }

  /** Why the differences mean nothing; with any there is no verdict. */
  public List<String> obstacles() {
    return overloaded.isEmpty() && differences.isEmpty() ? changed : overloaded;
  }

  /**
   * Empty when there is nothing to compare: one arm, or a sweep, whose points do not run side by
   * side.
   */
  public static Optional<Comparison> of(Run run) {
    Set<String> names = new LinkedHashSet<>();
    run.parts().forEach(arm -> names.add(arm.name()));
    int rounds = run.parts().stream().mapToInt(Part::round).max().orElse(0);
    if (names.size() < 2 || run.sweep().isPresent()) {
      return Optional.empty();
    }
    String base = names.iterator().next();
    names.remove(base);
    LatencyTail tail = LatencyTail.ofReopens(run.parts());
    List<ChangedMachine> changed = ChangedMachine.of(run.parts());
    List<Part> compared = ChangedMachine.without(changed, run.parts());
    int judged = 0;
    for (RunFigure figure : judged(tail)) {
      for (String name : names) {
        judged += pairs(compared, figure, base, name, rounds).isEmpty() ? 0 : 1;
      }
    }
    List<Difference> differences = new ArrayList<>();
    for (RunFigure figure : compared(tail, run.parts())) {
      for (String name : names) {
        List<Difference.Pair> pairs = pairs(compared, figure, base, name, rounds);
        if (!pairs.isEmpty()) {
          differences.add(Difference.paired(name, figure, pairs, judgement(tail, figure, judged)));
        }
      }
    }
    return differences.isEmpty() && changed.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Comparison(
                base,
                rounds,
                differences,
                OverloadedArms.of(run),
                changed.stream().flatMap(arm -> arm.why().stream()).toList()));
  }

  /**
   * How a figure is judged.
   *
   * @param judged how many differences have a verdict
   */
  static Difference.Judgement judgement(LatencyTail tail, RunFigure figure, int judged) {
    return judged(tail).contains(figure)
        ? Difference.Judgement.oneOf(judged)
        : Difference.Judgement.SHOWN;
  }

  private static List<Difference.Pair> pairs(
      List<Part> parts, RunFigure figure, String base, String name, int rounds) {
    List<Difference.Pair> pairs = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      Optional<Double> first = value(parts, figure, base, round);
      Optional<Double> second = value(parts, figure, name, round);
      if (first.isPresent() && second.isPresent()) {
        pairs.add(new Difference.Pair(first.get(), second.get()));
      }
    }
    return pairs;
  }

  /** Empty for what has no ratio: a value of 0, or none. */
  private static Optional<Double> value(
      List<Part> parts, RunFigure figure, String name, int round) {
    return parts.stream()
        .filter(arm -> arm.round() == round && arm.name().equals(name))
        .filter(arm -> arm.status() == Status.DONE)
        .findFirst()
        .flatMap(figure::of)
        .filter(value -> value > 0);
  }
}
