package io.weir.report.table;

import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a table shows, as a specification: each column has a name, a unit and the cell of a row. A
 * figure is one column here, and then in every form of the table.
 *
 * <p>A sheet grows column by column; {@link #once}, {@link #when} and {@link #ifAny} are about the
 * last one. The first columns may be {@linkplain #word words}, which name the row; the others stand
 * to the right.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param <R> what a row is about
 * @param title what the rows show, with its definition
 * @param isWide whether a page gives it the whole width
 * @param columns from left to right
 * @param group rows of one group stand together
 */
public record Sheet<R>(
    String title, boolean isWide, List<Column<R>> columns, Function<R, Object> group) {

  /**
   * One column.
   *
   * @param unit empty for words and plain counts
   * @param isWord whether it names the row
   * @param isOnce whether it is left blank where the row above has the same
   * @param isIfAny whether the column is left out when no row has a cell
   * @param cell empty for what was not measured
   */
  public record Column<R>(
      String name,
      String unit,
      boolean isWord,
      boolean isOnce,
      boolean isIfAny,
      Function<R, Optional<String>> cell) {}

  /** A sheet without columns. */
  public static <R> Sheet<R> of(String title) {
    return new Sheet<>(title, false, List.of(), row -> "");
  }

  /** Likewise, for the whole width of a page. */
  public static <R> Sheet<R> wide(String title) {
    return new Sheet<>(title, true, List.of(), row -> "");
  }

  /** A column that names the row. */
  public Sheet<R> word(String name, Function<R, String> word) {
    return word(name, "", word);
  }

  /** A column that names the row by a figure. */
  public Sheet<R> word(String name, String unit, Function<R, String> word) {
    return with(new Column<>(name, unit, true, false, false, row -> Optional.of(word.apply(row))));
  }

  /** A column of any text, where it is known. */
  public Sheet<R> cell(String name, String unit, Function<R, Optional<String>> cell) {
    return with(new Column<>(name, unit, false, false, false, cell));
  }

  /** A column of any text, which is always known. */
  public Sheet<R> text(String name, String unit, Function<R, String> text) {
    return cell(name, unit, row -> Optional.of(text.apply(row)));
  }

  /** A column of counts. */
  public Sheet<R> count(String name, Function<R, Optional<? extends Number>> count) {
    return cell(name, "", row -> count.apply(row).map(String::valueOf));
  }

  /** A column of figures with one decimal. */
  public Sheet<R> one(String name, String unit, Function<R, Optional<Double>> value) {
    return cell(name, unit, row -> value.apply(row).map(Figures::oneDecimal));
  }

  /** A column of figures with two decimals. */
  public Sheet<R> two(String name, String unit, Function<R, Optional<Double>> value) {
    return cell(name, unit, row -> value.apply(row).map(Figures::twoDecimals));
  }

  /** A column of bytes, as megabytes with one decimal. */
  public Sheet<R> megabytes(String name, Function<R, Optional<Long>> bytes) {
    return cell(name, "MB", row -> bytes.apply(row).map(Figures::megabytes));
  }

  /** Leaves the last column out unless it is {@code wanted}. */
  public Sheet<R> when(boolean wanted) {
    return wanted ? this : with(columns.subList(0, columns.size() - 1).stream());
  }

  /**
   * Leaves a cell of the last column blank where the row above has the same in it, and in the
   * columns before it that are written once.
   */
  public Sheet<R> once() {
    Column<R> last = columns.getLast();
    return when(false)
        .with(
            new Column<>(
                last.name(), last.unit(), last.isWord(), true, last.isIfAny(), last.cell()));
  }

  /** Leaves the last column out when no row has a cell in it. */
  public Sheet<R> ifAny() {
    Column<R> last = columns.getLast();
    return when(false)
        .with(
            new Column<>(
                last.name(), last.unit(), last.isWord(), last.isOnce(), true, last.cell()));
  }

  /** Sets rows apart where {@code key} changes. */
  public Sheet<R> groupedBy(Function<R, Object> key) {
    return new Sheet<>(title, isWide, columns, key);
  }

  /** The table of {@code rows}; it is empty without any. */
  public Table table(List<R> rows) {
    List<Column<R>> shown =
        columns.stream()
            .filter(
                column ->
                    !column.isIfAny()
                        || rows.stream().anyMatch(row -> column.cell().apply(row).isPresent()))
            .toList();
    List<Table.Row> lines = new ArrayList<>();
    Optional<R> above = Optional.empty();
    for (R row : rows) {
      lines.add(line(shown, above, row));
      above = Optional.of(row);
    }
    return new Table(
        title,
        isWide,
        shown.stream().map(column -> new Table.Column(column.name(), column.unit())).toList(),
        (int) shown.stream().takeWhile(Column::isWord).count(),
        lines);
  }

  private Table.Row line(List<Column<R>> shown, Optional<R> above, R row) {
    List<Optional<String>> cells = new ArrayList<>();
    boolean alike = above.isPresent();
    for (Column<R> column : shown) {
      Optional<String> cell = column.cell().apply(row);
      if (column.isOnce()) {
        alike = alike && above.map(column.cell()).equals(Optional.of(cell));
      }
      cells.add(column.isOnce() && alike ? Optional.of("") : cell);
    }
    boolean startsGroup = above.map(group).filter(key -> !key.equals(group.apply(row))).isPresent();
    return new Table.Row(startsGroup, cells);
  }

  private Sheet<R> with(Column<R> column) {
    return with(Stream.concat(columns.stream(), Stream.of(column)));
  }

  private Sheet<R> with(Stream<Column<R>> all) {
    return new Sheet<>(title, isWide, all.toList(), group);
  }
}
