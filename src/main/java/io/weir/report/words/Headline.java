package io.weir.report.words;

import io.weir.report.compare.LatencyTail;
import io.weir.run.ArmFigures;
import io.weir.run.FigureBy;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The figures of an arm in one sentence.
 *
 * <p>Several rounds become the range from the smallest to the largest. A figure that no round has
 * is left out.
 *
 * @param arm the name of the arm
 * @param sentence without the name and without a full stop
 */
public record Headline(String arm, String sentence) {

  /** What text and page say of a run first: of each arm, or what a sweep has found. */
  public static List<Headline> all(Run run) {
    return run.sweep().isPresent()
        ? SweepWords.of(run)
        : Stream.concat(of(run).stream(), ofSearches(run).stream()).toList();
  }

  /** One for each arm, in the order of their first rounds. */
  public static List<Headline> of(Run run) {
    return run.names().stream()
        .map(name -> new Headline(name, sentence(run, run.rounds(name))))
        .toList();
  }

  /**
   * How slow searches were during the merge and after it: one for each arm that had both, in the
   * same order.
   */
  static List<Headline> ofSearches(Run run) {
    return run.names().stream()
        .flatMap(
            name ->
                searches(run, run.rounds(name))
                    .map(sentence -> new Headline(name, sentence))
                    .stream())
        .toList();
  }

  private static Optional<String> searches(Run run, List<Part> rounds) {
    List<Part> merged = rounds.stream().filter(MergeFigures::isMerged).toList();
    LatencyTail during = LatencyTail.ofSearches(run.parts(), Phase.DURING);
    LatencyTail after = LatencyTail.ofSearches(run.parts(), Phase.AFTER);
    List<String> parts = new ArrayList<>();
    addSearches(parts, during.label() + " during the merge ", merged, during, Phase.DURING);
    boolean named = !parts.isEmpty() && after.label().equals(during.label());
    addSearches(
        parts, (named ? "" : after.label() + " ") + "after it ", merged, after, Phase.AFTER);
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", parts));
  }

  private static void addSearches(
      List<String> parts, String what, List<Part> merged, LatencyTail tail, Phase phase) {
    long count = count(merged, ArmFigures.SEARCH.latency(), phase);
    add(parts, what, range(merged, tail.figure(), phase), " ms of " + count);
  }

  private static String sentence(Run run, List<Part> rounds) {
    LatencyTail tail = LatencyTail.ofReopens(run.parts());
    LatencyTail visible = LatencyTail.untilVisible(run.parts());
    List<String> parts = new ArrayList<>();
    boolean merged = rounds.stream().anyMatch(MergeFigures::isMerged);
    String during = tail.label() + (merged ? " during the merge " : " with no merge ");
    add(
        parts,
        during,
        range(rounds, tail.figure()),
        " ms of " + Figures.count(count(rounds, ArmFigures.REOPEN, Phase.DURING), "reopen"));
    add(
        parts,
        visible.label() + " ",
        range(rounds, visible.figure()),
        " ms of " + Figures.count(count(rounds, ArmFigures.VISIBLE, Phase.DURING), "write"));
    add(parts, "merge ", range(rounds, RunFigure.MERGE_SECONDS), " s");
    add(parts, "merge not done after ", range(unfinishedMerges(rounds)), " s");
    add(parts, "peak dirty ", range(rounds, RunFigure.DIRTY_PEAK), " MB");
    long failed = rounds.stream().filter(arm -> arm.status() == Status.FAILED).count();
    if (failed > 0) {
      parts.add(
          rounds.size() == 1
              ? "it failed"
              : "%d of %d rounds failed".formatted(failed, rounds.size()));
    }
    if (rounds.stream().anyMatch(arm -> arm.status() == Status.INTERRUPTED)) {
      parts.add("interrupted, so the figures are partial");
    }
    if (parts.isEmpty()) {
      return "nothing was measured";
    }
    String rest = rounds.size() == 1 || failed > 0 ? "" : " (%d rounds)".formatted(rounds.size());
    return String.join(", ", parts) + rest;
  }

  private static Optional<String> range(List<Part> rounds, RunFigure figure) {
    return range(rounds, figure, Phase.DURING);
  }

  private static Optional<String> range(List<Part> rounds, RunFigure figure, Phase phase) {
    return range(
        rounds.stream()
            .flatMap(arm -> figure.of(arm, phase).stream())
            .mapToDouble(Double::doubleValue));
  }

  /** Beside the figure, because it says what the figure is worth. */
  private static long count(
      List<Part> rounds, FigureBy<Phase, LatencySummary> latencies, Phase phase) {
    return rounds.stream()
        .flatMap(arm -> arm.get(latencies, phase).stream())
        .mapToLong(LatencySummary::count)
        .sum();
  }

  /** For how long the merges ran that the arm did not wait for. */
  private static DoubleStream unfinishedMerges(List<Part> rounds) {
    return rounds.stream()
        .filter(arm -> MergeFigures.isMerged(arm) && !MergeFigures.isWhole(arm))
        .mapToDouble(arm -> arm.require(MergeFigures.SECONDS));
  }

  /** {@code 41} or {@code 38 to 44}; empty without values. */
  private static Optional<String> range(DoubleStream values) {
    DoubleSummaryStatistics all = values.summaryStatistics();
    return all.getCount() == 0
        ? Optional.empty()
        : Optional.of(Figures.range(all.getMin(), all.getMax()));
  }

  private static void add(List<String> parts, String what, Optional<String> figure, String unit) {
    figure.ifPresent(value -> parts.add(what + value + unit));
  }
}
