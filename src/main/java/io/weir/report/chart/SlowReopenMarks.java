package io.weir.report.chart;

import io.weir.report.model.ReopenRow;
import io.weir.report.model.SlowReopenRow;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The notes at the slow reopens of one arm: the number and the name of the main cause. */
final class SlowReopenMarks {

  private final Map<Long, SlowReopenRow> byIntended = new HashMap<>();
  private final SlowReopenCauses causes;

  /**
   * @param rows of the arm
   * @param causes of the run
   */
  SlowReopenMarks(List<SlowReopenRow> rows, SlowReopenCauses causes) {
    rows.forEach(row -> byIntended.put(row.intendedNanos(), row));
    this.causes = causes;
  }

  /** {@code 2 writing a file, 71 % of 320 ms}; empty if the reopen was not slow. */
  Optional<String> note(ReopenRow reopen) {
    return Optional.ofNullable(byIntended.get(reopen.intendedNanos()))
        .map(
            row ->
                "%s, %s %% of %s ms"
                    .formatted(
                        causes.name(row.cause()),
                        Math.round(row.share() * 100),
                        Figures.brief(row.totalNanos() / 1e6)));
  }

  /** What the numbers mean and how many reopens have each; empty if there are none. */
  String key() {
    if (byIntended.isEmpty()) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    for (String cause : causes.ranked()) {
      long count = byIntended.values().stream().filter(row -> row.cause().equals(cause)).count();
      if (count > 0) {
        parts.add("%s (%d)".formatted(causes.name(cause), count));
      }
    }
    return String.join(", ", parts);
  }
}
