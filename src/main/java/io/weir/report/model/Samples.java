package io.weir.report.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The lines of {@code series.csv} that belong to one arm and round, by column.
 *
 * <p>An empty cell is absent, and so is a column that the file lacks. {@link Timelines} fills it;
 * afterwards it is read-only.
 */
public final class Samples {
  private final List<Long> timeNanos = new ArrayList<>();
  private final List<String> phases = new ArrayList<>();
  private final Map<String, List<OptionalLong>> columns = new HashMap<>();

  public void add(long atNanos, String phase, Map<String, Long> cells) {
    int row = timeNanos.size();
    timeNanos.add(atNanos);
    phases.add(phase);
    cells.forEach(
        (name, value) -> {
          List<OptionalLong> column = columns.computeIfAbsent(name, unused -> new ArrayList<>());
          while (column.size() < row) {
            column.add(OptionalLong.empty());
          }
          column.add(OptionalLong.of(value));
        });
  }

  public int size() {
    return timeNanos.size();
  }

  public long timeNanos(int row) {
    return timeNanos.get(row);
  }

  public String phase(int row) {
    return phases.get(row);
  }

  public OptionalLong value(String column, int row) {
    List<OptionalLong> values = columns.getOrDefault(column, List.of());
    return row < values.size() ? values.get(row) : OptionalLong.empty();
  }

  /** True when at least one sample has the column. */
  public boolean has(String column) {
    return columns.getOrDefault(column, List.of()).stream().anyMatch(OptionalLong::isPresent);
  }
}
