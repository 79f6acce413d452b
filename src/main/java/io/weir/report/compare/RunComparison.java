package io.weir.report.compare;

import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs made at different times, compared with the first of them by arms of the same name. Their
 * rounds are not paired, so a difference takes more rounds to detect than within one run.
 *
 * @param obstacles by run, why it cannot be compared with the first; with any obstacle there are no
 *     differences
 * @param incomparable by run, the arms that could not bear their load, and those before which the
 *     machine was another; with any there is no verdict
 * @param changes by run, what else differs
 * @param differences by arm, then by figure, then by run; each is named after the run
 */
public record RunComparison(
    Map<String, List<String>> obstacles,
    Map<String, List<String>> incomparable,
    Map<String, List<String>> changes,
    Map<String, List<Difference>> differences) {

  /**
   * Compares.
   *
   * @param runs at least two by their names, the one to compare with first
   */
  public static RunComparison of(Map<String, Run> runs) {
    List<String> names = List.copyOf(runs.keySet());
    Run base = runs.get(names.get(0));
    Map<String, List<String>> obstacles = new LinkedHashMap<>();
    Map<String, List<String>> changes = new LinkedHashMap<>();
    for (String name : names.subList(1, names.size())) {
      Comparability comparability = Comparability.of(base, runs.get(name));
      if (!comparability.obstacles().isEmpty()) {
        obstacles.put(name, comparability.obstacles());
      }
      if (!comparability.changes().isEmpty()) {
        changes.put(name, comparability.changes());
      }
    }
    Map<String, List<Difference>> differences = new LinkedHashMap<>();
    if (obstacles.isEmpty()) {
      Set<String> arms = new LinkedHashSet<>();
      base.parts().forEach(arm -> arms.add(arm.name()));
      LatencyTail tail = LatencyTail.ofReopens(all(runs));
      int judged = arms.size() * (names.size() - 1) * Comparison.judged(tail).size();
      for (String arm : arms) {
        List<Difference> ofArm = differences(arm, runs, names, tail, judged);
        if (!ofArm.isEmpty()) {
          differences.put(arm, ofArm);
        }
      }
    }
    return new RunComparison(obstacles, incomparable(runs), changes, differences);
  }

  private static List<Part> all(Map<String, Run> runs) {
    return runs.values().stream().flatMap(run -> run.parts().stream()).toList();
  }

  private static Map<String, List<String>> incomparable(Map<String, Run> runs) {
    List<ChangedMachine> changed = ChangedMachine.of(all(runs));
    Map<String, List<String>> incomparable = new LinkedHashMap<>();
    runs.forEach(
        (name, run) -> {
          List<String> sentences = new ArrayList<>(OverloadedArms.of(run));
          changed.stream()
              .filter(arm -> run.parts().contains(arm.part()))
              .forEach(arm -> sentences.addAll(arm.why()));
          incomparable.put(name, sentences);
        });
    incomparable.values().removeIf(List::isEmpty);
    return incomparable;
  }

  private static List<Difference> differences(
      String arm, Map<String, Run> runs, List<String> names, LatencyTail tail, int judged) {
    List<Difference> differences = new ArrayList<>();
    for (RunFigure figure : Comparison.compared(tail, all(runs))) {
      double[] bases = values(runs.get(names.get(0)), arm, figure);
      for (String name : names.subList(1, names.size())) {
        double[] values = values(runs.get(name), arm, figure);
        if (bases.length > 0 && values.length > 0) {
          differences.add(
              Difference.unpaired(
                  name, figure, bases, values, Comparison.judgement(tail, figure, judged)));
        }
      }
    }
    return differences;
  }

  private static double[] values(Run run, String arm, RunFigure figure) {
    return run.parts().stream()
        .filter(result -> result.name().equals(arm) && result.status() == Status.DONE)
        .flatMap(result -> figure.of(result).stream())
        .mapToDouble(Double::doubleValue)
        .filter(value -> value > 0)
        .toArray();
  }
}
