package io.weir.report.html;

import io.weir.report.svg.HtmlText;
import io.weir.report.table.Table;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import java.util.List;
import java.util.Optional;

/**
 * A table as HTML, in a box that scrolls when the page is too narrow for it.
 *
 * <p>An empty first cell belongs to the cell above it: both become one cell, the header of all its
 * rows.
 */
public final class HtmlTable {

  private HtmlTable() {}

  /** The tables that have rows. */
  public static String of(List<Table> tables) {
    StringBuilder out = new StringBuilder();
    tables.stream().filter(table -> !table.rows().isEmpty()).forEach(table -> append(out, table));
    return out.toString();
  }

  /** The tables that have rows. */
  public static String of(Table... tables) {
    return of(List.of(tables));
  }

  private static void append(StringBuilder out, Table table) {
    String title = HtmlText.escape(table.title());
    out.append(
        "<div class=\"%s\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n<table>\n<caption>%s</caption>\n<thead><tr>"
            .formatted(table.isWide() ? "table wide" : "table", title, title));
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.columns().get(i);
      out.append(
          "<th scope=\"col\"%s>%s <small>%s</small></th>"
              .formatted(
                  i < table.labelColumns() ? " class=\"word\"" : "",
                  HtmlText.escape(column.name()),
                  column.unit()));
    }
    out.append("</tr></thead>\n");
    for (int row = 0; row < table.rows().size(); ) {
      int below = table.labelColumns() > 1 ? rowsBelow(table, row) : 0;
      out.append("<tbody>\n");
      append(out, table, row, below + 1);
      for (int i = 1; i <= below; i++) {
        append(out, table, row + i, 0);
      }
      out.append("</tbody>\n");
      row += below + 1;
    }
    out.append("</table>\n</div>\n");
  }

  /** How many rows directly below {@code row} have an empty first cell. */
  private static int rowsBelow(Table table, int row) {
    int below = 0;
    while (row + below + 1 < table.rows().size()
        && table.rows().get(row + below + 1).cells().get(0).equals(Optional.of(""))) {
      below++;
    }
    return below;
  }

  /**
   * @param span how many rows the first cell spans; 0 to leave it out
   */
  private static void append(StringBuilder out, Table table, int index, int span) {
    Row row = table.rows().get(index);
    out.append(row.startsGroup() ? "<tr class=\"group\">" : "<tr>");
    for (int i = span == 0 ? 1 : 0; i < row.cells().size(); i++) {
      Optional<String> cell = row.cells().get(i);
      boolean word = i < table.labelColumns();
      if (!word) {
        out.append("<td>");
      } else if (i > 0) {
        out.append("<th scope=\"row\">");
      } else {
        String scope = span > 1 ? "rowgroup\" rowspan=\"" + span : "row";
        out.append("<th class=\"first\" scope=\"%s\">".formatted(scope));
      }
      out.append(cell.map(HtmlText::escape).orElse("\u2013"));
      out.append(word ? "</th>" : "</td>");
    }
    out.append("</tr>\n");
  }
}
