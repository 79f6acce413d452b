package io.weir.report.table;

import io.weir.report.table.Table.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds one row of a table, cell by cell. */
public final class Cells {

  private final List<Optional<String>> cells = new ArrayList<>();

  /** The first cells. */
  public static Cells of(String... first) {
    Cells cells = new Cells();
    for (String cell : first) {
      cells.add(cell);
    }
    return cells;
  }

  /** One more cell. */
  public Cells add(String cell) {
    return add(Optional.of(cell));
  }

  /** One more cell; empty if it could not be measured. */
  public Cells add(Optional<String> cell) {
    cells.add(cell);
    return this;
  }

  /** So many cells that could not be measured. */
  public Cells addEmpty(int count) {
    for (int i = 0; i < count; i++) {
      add(Optional.empty());
    }
    return this;
  }

  /** The row. */
  public Row row(boolean startsGroup) {
    return new Row(startsGroup, List.copyOf(cells));
  }
}
