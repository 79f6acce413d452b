package io.weir.report.words;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

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

  /** One for each arm, in the order of their first rounds. */
  public static List<Headline> of(RunResult run) {
    Map<String, List<ArmResult>> rounds = new LinkedHashMap<>();
    for (ArmResult arm : run.arms()) {
      rounds.computeIfAbsent(arm.name(), name -> new ArrayList<>()).add(arm);
    }
    List<Headline> headlines = new ArrayList<>();
    rounds.forEach((name, arms) -> headlines.add(new Headline(name, sentence(arms))));
    return headlines;
  }

  private static String sentence(List<ArmResult> rounds) {
    List<String> parts = new ArrayList<>();
    boolean merged = rounds.stream().anyMatch(Headline::hasMerge);
    String during = merged ? "reopen p99 during the merge " : "reopen p99 with no merge ";
    add(parts, during, range(rounds, Headline::duringP99Millis), " ms");
    add(parts, "merge ", range(rounds, arm -> hasMerge(arm) ? arm.merge().seconds() : null), " s");
    add(
        parts,
        "peak dirty ",
        range(rounds, arm -> arm.dirty() == null ? null : arm.dirty().peakBytes() / 1e6),
        " MB");
    long failed = rounds.stream().filter(arm -> arm.status() == ArmStatus.FAILED).count();
    if (failed > 0) {
      parts.add(
          rounds.size() == 1
              ? "it failed"
              : "%d of %d rounds failed".formatted(failed, rounds.size()));
    }
    if (rounds.stream().anyMatch(arm -> arm.status() == ArmStatus.INTERRUPTED)) {
      parts.add("interrupted, so the figures are partial");
    }
    if (parts.isEmpty()) {
      return "nothing was measured";
    }
    String rest = rounds.size() == 1 || failed > 0 ? "" : " (%d rounds)".formatted(rounds.size());
    return String.join(", ", parts) + rest;
  }

  static boolean hasMerge(ArmResult arm) {
    return arm.merge() != null && !"none".equals(arm.merge().kind());
  }

  private static Double duringP99Millis(ArmResult arm) {
    LatencySummary latency = arm.reopen() == null ? null : arm.reopen().during();
    return latency == null || latency.count() == 0 ? null : latency.p99Millis();
  }

  /** {@code 41} or {@code 38 to 44}; null when no round has the figure. */
  private static String range(List<ArmResult> rounds, Function<ArmResult, Double> figure) {
    double[] values =
        rounds.stream()
            .map(figure)
            .filter(Objects::nonNull)
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    if (values.length == 0) {
      return null;
    }
    return Figures.range(values[0], values[values.length - 1]);
  }

  private static void add(List<String> parts, String what, String figure, String unit) {
    if (figure != null) {
      parts.add(what + figure + unit);
    }
  }
}
