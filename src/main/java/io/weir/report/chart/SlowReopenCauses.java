package io.weir.report.chart;

import io.weir.report.chart.Chart.Note;
import io.weir.report.model.ReopenRow;
import io.weir.report.model.Timelines;
import io.weir.report.model.Timelines.SlowReopen;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
      for (SlowReopen row : timelines.slowReopens(arm)) {
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

  /** {@code 2 writing a file}; a cause without a label keeps the spelling of the file. */
  private String name(String cause) {
    return ranked.indexOf(cause) + 1 + " " + labels.getOrDefault(cause, cause);
  }

  /** Those of one arm. */
  OfArm of(List<SlowReopen> rows) {
    return new OfArm(rows);
  }

  /** The notes at the slow reopens of one arm: the number and the name of the main cause. */
  final class OfArm {

    private final Map<Long, SlowReopen> byIntended = new HashMap<>();

    private OfArm(List<SlowReopen> rows) {
      rows.forEach(row -> byIntended.put(row.intendedNanos(), row));
    }

    /** {@code 2 writing a file, 71 % of 320 ms}; empty if the reopen was not slow. */
    Optional<Note> note(ReopenRow reopen) {
      return Optional.ofNullable(byIntended.get(reopen.intendedNanos()))
          .map(
              row ->
                  new Note(
                      Integer.toString(ranked.indexOf(row.cause()) + 1),
                      "%s, %s %% of %s ms"
                          .formatted(
                              name(row.cause()),
                              Math.round(row.share() * 100),
                              Figures.brief(row.totalNanos() / 1e6))));
    }

    /** What the numbers mean and how many reopens have each; empty if there are none. */
    String key() {
      return ranked.stream()
          .filter(cause -> count(cause) > 0)
          .map(cause -> "%s (%d)".formatted(name(cause), count(cause)))
          .collect(Collectors.joining(", "));
    }

    private long count(String cause) {
      return byIntended.values().stream().filter(row -> row.cause().equals(cause)).count();
    }
  }
}
