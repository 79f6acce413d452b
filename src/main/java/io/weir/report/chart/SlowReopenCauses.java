package io.weir.report.chart;

import io.weir.report.model.SlowReopenRow;
import io.weir.report.model.Timelines;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The causes of slow reopens in all arms of a run. Each cause has a name, and a number that is the
 * same in every arm: 1 for the cause that took the most time.
 */
final class SlowReopenCauses {

  private final List<String> ranked;
  private final Map<String, String> labels = new HashMap<>();

  SlowReopenCauses(List<Part> arms, Timelines timelines) {
    Map<String, Double> nanos = new LinkedHashMap<>();
    for (Part arm : arms) {
      addLabels(arm);
      for (SlowReopenRow row : timelines.slowReopens(arm)) {
        nanos.merge(row.cause(), row.totalNanos() * row.share(), Double::sum);
      }
    }
    this.ranked = new ArrayList<>(nanos.keySet());
    ranked.sort((a, b) -> Double.compare(nanos.get(b), nanos.get(a)));
  }

  private void addLabels(Part arm) {
    for (Phase phase : Phase.MEASURED) {
      arm.get(ArmFigures.SLOW_CAUSES, phase).stream()
          .flatMap(causes -> causes.list().stream())
          .forEach(cause -> labels.put(cause.cause(), cause.label()));
    }
  }

  /** The causes in the order of their numbers, as the files spell them. */
  List<String> ranked() {
    return ranked;
  }

  /** {@code 2 writing a file}; a cause without a label keeps the spelling of the file. */
  String name(String cause) {
    return ranked.indexOf(cause) + 1 + " " + labels.getOrDefault(cause, cause);
  }
}
