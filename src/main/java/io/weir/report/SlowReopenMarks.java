package io.weir.report;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.SlowReopenCause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What to write at the slow reopens of an arm: a number for the cause that took most of it, the
 * same at all reopens with that cause, 1 for the one with the most time.
 */
final class SlowReopenMarks {

  private final Map<Long, SlowReopenRow> byIntended = new HashMap<>();
  private final Map<String, String> labels = new HashMap<>();
  private final List<String> ranked;

  /**
   * @param rows of the arm
   * @param arm which knows the causes in words
   */
  SlowReopenMarks(List<SlowReopenRow> rows, ArmResult arm) {
    rows.forEach(row -> byIntended.put(row.intendedNanos(), row));
    if (arm.slowReopens() != null) {
      for (Phase phase : Phase.MEASURED) {
        for (SlowReopenCause cause : arm.slowReopens().causes().get(phase)) {
          labels.put(cause.cause(), cause.label());
        }
      }
    }
    Map<String, Double> nanos = new LinkedHashMap<>();
    rows.forEach(row -> nanos.merge(row.cause(), row.totalNanos() * row.share(), Double::sum));
    this.ranked = new ArrayList<>(nanos.keySet());
    ranked.sort((a, b) -> Double.compare(nanos.get(b), nanos.get(a)));
  }

  /** {@code 2 writing a file, 71 % of 320 ms}; null if the reopen was not slow. */
  String note(ReopenRow reopen) {
    SlowReopenRow row = byIntended.get(reopen.intendedNanos());
    return row == null
        ? null
        : "%d %s, %.0f %% of %s ms"
            .formatted(
                ranked.indexOf(row.cause()) + 1,
                label(row.cause()),
                row.share() * 100,
                Figures.brief(row.totalNanos() / 1e6));
  }

  /** What the numbers mean, and how many reopens have them; empty if there are none. */
  String key() {
    Map<String, Long> counts =
        byIntended.values().stream()
            .collect(Collectors.groupingBy(SlowReopenRow::cause, Collectors.counting()));
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < ranked.size(); i++) {
      String cause = ranked.get(i);
      parts.add("%d %s (%d)".formatted(i + 1, label(cause), counts.getOrDefault(cause, 0L)));
    }
    return String.join(", ", parts);
  }

  private String label(String cause) {
    return labels.getOrDefault(cause, cause);
  }
}
