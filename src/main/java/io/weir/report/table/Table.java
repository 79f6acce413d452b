package io.weir.report.table;

import java.util.List;
import java.util.Optional;

/**
 * The content of a table, before a terminal or a browser gives it a form.
 *
 * @param title what the rows show, with its definition
 * @param isWide whether a page gives it the whole width
 * @param columns the first {@link #labelColumns} are words, the others figures
 * @param labelColumns how many columns are words
 * @param rows each has a cell for each column
 */
public record Table(
    String title, boolean isWide, List<Column> columns, int labelColumns, List<Row> rows) {

  /** A header: the name and the unit, which is empty for words and plain counts. */
  public record Column(String name, String unit) {}

  /**
   * One line of the table.
   *
   * @param startsGroup whether the row begins a new group, set apart from the one above
   * @param cells empty for what was not measured
   */
  public record Row(boolean startsGroup, List<Optional<String>> cells) {}
}
