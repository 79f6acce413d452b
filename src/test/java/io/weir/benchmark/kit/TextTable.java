package io.weir.benchmark.kit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table as text: words to the left, figures to the right, and what must be known to read them
 * below.
 */
public final class TextTable {

  private final String title;
  private final List<String> columns;
  private final int wordColumns;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * A table without rows.
   *
   * @param wordColumns how many columns, the first ones, hold words
   * @param columns their names, the unit among them
   */
  public TextTable(String title, int wordColumns, String... columns) {
    this.title = title;
    this.wordColumns = wordColumns;
    this.columns = List.of(columns);
  }

  /** Adds a row of one cell a column. */
  public TextTable row(String... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "a row must have " + columns.size() + " cells: " + Arrays.toString(cells));
    }
    rows.add(List.of(cells));
    return this;
  }

  /** Adds a line below the table. */
  public TextTable note(String note) {
    notes.add(note);
    return this;
  }

  /** The rows so far. */
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  /** The text; it ends with a line end. */
  public String render() {
    StringBuilder text = new StringBuilder(title).append("\n\n");
    append(text, columns);
    for (List<String> row : rows) {
      append(text, row);
    }
    text.append('\n');
    notes.forEach(note -> text.append("- ").append(note).append('\n'));
    return text.toString();
  }

  private void append(StringBuilder text, List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String fill = " ".repeat(width(i) - cell.length());
      line.append(i == 0 ? "" : "  ").append(i < wordColumns ? cell + fill : fill + cell);
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  private int width(int column) {
    int width = columns.get(column).length();
    for (List<String> row : rows) {
      width = Math.max(width, row.get(column).length());
    }
    return width;
  }
}
