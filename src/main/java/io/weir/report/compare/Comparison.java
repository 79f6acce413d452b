package io.weir.report.compare;

import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The arms of a run against its first arm. An arm that a round did not finish is left out of that
 * round.
 *
 * @param base the first arm's name
 * @param rounds of the run
 * @param differences by figure, then by arm in the order of the run; without figures that no round
 *     measured in both arms
 * @param obstacles why the differences mean nothing; with any there is no verdict
 */
public record Comparison(
    String base, int rounds, List<Difference> differences, List<String> obstacles) {

  /**
   * The figures that have a verdict: what readers feel, and what it costs. The intervals of a run's
   * verdicts are so wide that all of them hold together at {@link #LEVEL_PERCENT}. Other figures
   * have an interval, each alone: of twenty, one misses by chance.
   */
  static Set<RunFigure> judged(ReopenTail tail) {
    return EnumSet.of(tail.figure(), RunFigure.MERGE_SECONDS);
  }

  /** The figures by which arms are compared: the usual ones, and the judged. */
  static Set<RunFigure> compared(ReopenTail tail) {
    Set<RunFigure> figures = EnumSet.copyOf(RunFigure.compared());
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
    obstacles = List.copyOf(obstacles);
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
    ReopenTail tail = ReopenTail.of(run.parts());
    int judged = 0;
    for (RunFigure figure : judged(tail)) {
      for (String name : names) {
        judged += pairs(run, figure, base, name, rounds).isEmpty() ? 0 : 1;
      }
    }
    List<Difference> differences = new ArrayList<>();
    for (RunFigure figure : compared(tail)) {
      for (String name : names) {
        List<Difference.Pair> pairs = pairs(run, figure, base, name, rounds);
        if (!pairs.isEmpty()) {
          differences.add(Difference.paired(name, figure, pairs, judgement(tail, figure, judged)));
        }
      }
    }
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(new Comparison(base, rounds, differences, OverloadedArms.of(run)));
  }

  /**
   * How a figure is judged.
   *
   * @param judged how many differences have a verdict
   */
  static Difference.Judgement judgement(ReopenTail tail, RunFigure figure, int judged) {
    return judged(tail).contains(figure)
        ? Difference.Judgement.oneOf(judged)
        : Difference.Judgement.SHOWN;
  }

  private static List<Difference.Pair> pairs(
      Run run, RunFigure figure, String base, String name, int rounds) {
    List<Difference.Pair> pairs = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      Optional<Double> first = value(run, figure, base, round);
      Optional<Double> second = value(run, figure, name, round);
      if (first.isPresent() && second.isPresent()) {
        pairs.add(new Difference.Pair(first.get(), second.get()));
      }
    }
    return pairs;
  }

  /** Empty for what has no ratio: a value of 0, or none. */
  private static Optional<Double> value(Run run, RunFigure figure, String name, int round) {
    return run.parts().stream()
        .filter(arm -> arm.round() == round && arm.name().equals(name))
        .filter(arm -> arm.status() == Status.DONE)
        .findFirst()
        .flatMap(figure::of)
        .filter(value -> value > 0);
  }
}
