package io.weir.report.words;

import io.weir.run.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Arm runs, one arm in one round each, and how a sentence names some of them.
 *
 * @param roundsByArm all of a run
 */
public record ArmRuns(Map<String, List<Integer>> roundsByArm) {

  /** More arms than these are counted, not named. */
  private static final int MOST_NAMED = 4;

  /** One of them. */
  record One(String arm, int round) {}

  /** Whether any arm of {@code run} has more than one round. */
  public static boolean hasRounds(Run run) {
    return run.parts().stream().anyMatch(arm -> arm.round() > 1);
  }

  static ArmRuns of(List<One> runs) {
    Map<String, List<Integer>> rounds = new LinkedHashMap<>();
    for (One run : runs) {
      rounds.computeIfAbsent(run.arm(), arm -> new ArrayList<>()).add(run.round());
    }
    return new ArmRuns(rounds);
  }

  int count() {
    return roundsByArm.values().stream().mapToInt(List::size).sum();
  }

  /** {@code in rounds 1, 3 of stock and in all rounds of weir}; empty for none of them. */
  String where(List<One> runs) {
    ArmRuns some = of(runs.stream().distinct().toList());
    if (some.count() == 0) {
      return "";
    }
    if (some.count() == count() && count() > 1) {
      return roundsByArm.size() > 1 && hasRounds()
          ? "in every round of every arm"
          : hasRounds() ? "in every round" : "in every arm";
    }
    if (some.roundsByArm.size() > MOST_NAMED) {
      return "in %d of %d arm runs".formatted(some.count(), count());
    }
    return "in "
        + some.roundsByArm.entrySet().stream()
            .map(entry -> named(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(" and "));
  }

  private String named(String arm, List<Integer> rounds) {
    if (!hasRounds()) {
      return "arm " + arm;
    }
    if (rounds.size() > 1 && rounds.equals(roundsByArm.get(arm))) {
      return "all rounds of arm " + arm;
    }
    return "%s %s of arm %s"
        .formatted(
            rounds.size() == 1 ? "round" : "rounds",
            rounds.stream().map(String::valueOf).collect(Collectors.joining(", ")),
            arm);
  }

  private boolean hasRounds() {
    return roundsByArm.values().stream().flatMap(List::stream).anyMatch(round -> round > 1);
  }
}
