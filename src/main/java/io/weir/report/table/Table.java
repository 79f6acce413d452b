package io.weir.report.table;

import java.util.ArrayList;
import java.util.List;

/**
 * A table as content, before a terminal or a browser gives it a form.
 *
 * @param title what the rows are about, with their definition
 * @param columns the leading {@link #labelColumns} are words, the others figures
 * @param labelColumns how many columns are words
 * @param rows one cell a column each
 */
public record Table(String title, List<Column> columns, int labelColumns, List<Row> rows) {

  /** A header: what, and in which unit (empty for words and plain counts). */
  public record Column(String name, String unit) {}

  /**
   * One line of the table.
   *
   * @param startsGroup true when the row begins a new group, set apart from the one above
   * @param cells a cell that could not be measured is null
   */
  public record Row(boolean startsGroup, List<String> cells) {}

  /** The same without the column of figures called {@code name}. */
  Table without(String name) {
    int index = columns.stream().map(Column::name).toList().indexOf(name);
    return new Table(
        title,
        without(columns, index),
        labelColumns,
        rows.stream().map(row -> new Row(row.startsGroup(), without(row.cells(), index))).toList());
  }

  private static <T> List<T> without(List<T> list, int index) {
    List<T> shorter = new ArrayList<>(list);
    shorter.remove(index);
    return shorter;
  }
}
