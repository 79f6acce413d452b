package io.weir.report.text;

import io.weir.report.table.Table;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Notes;
import io.weir.report.words.Notes.Finding;
import io.weir.report.words.Notes.Note;
import io.weir.report.words.Remarks;
import java.util.List;
import java.util.Optional;

/**
 * The form of tables and sentences on a terminal.
 *
 * <p>Columns are aligned and lines are at most {@value #WIDTH_COLUMNS} columns wide, unless the
 * figures need more. Names of arms are shortened, figures never. {@code -} stands for a value that
 * was not measured.
 *
 * @param colour true to mark headers, failures and warnings with ANSI colours
 */
public record TerminalText(boolean colour) {

  static final int WIDTH_COLUMNS = 100;
  private static final int LONGEST_NAME_COLUMNS = 24;
  private static final String BETWEEN = "  ";

  /** The width of words such as {@code NOISE}, and of the indentation below them. */
  private static final int LEAD_COLUMNS = 10;

  /**
   * A whole report: tables, what a reader must know of the run, and last, because the end is what a
   * terminal shows, what it found. Ends with a line end.
   *
   * @param checks a sentence below the tables
   * @param answer sentences; a blank one sets those after it apart
   */
  public String report(
      List<Table> tables, Optional<String> checks, Remarks remarks, List<String> answer) {
    StringBuilder out = new StringBuilder();
    append(out, tables);
    checks.ifPresent(
        sentence -> {
          paragraph(out, "", "", sentence);
          out.append('\n');
        });
    remarks.interrupted().ifPresent(s -> out.append(styled("1;33", s)).append("\n\n"));
    append(out, "NOISE     ", remarks.noise());
    for (Remarks.Failure failure : remarks.failures()) {
      paragraph(out, "1;31", "FAILED    ", plain(failure.what()));
      failure.lastLines().forEach(line -> out.append("    | ").append(plain(line)).append('\n'));
      out.append('\n');
    }
    append(out, "WARNING   ", remarks.warnings());
    answer.forEach(sentence -> paragraph(out, "", "", plain(sentence)));
    return out.toString();
  }

  /** The tables that have rows, each with its title and an empty line below it. */
  public void append(StringBuilder out, List<Table> tables) {
    for (Table table : tables) {
      if (!table.rows().isEmpty()) {
        append(out, table);
        out.append('\n');
      }
    }
  }

  private void append(StringBuilder out, Table table) {
    append(out, table, LONGEST_NAME_COLUMNS);
  }

  /** One table, whose words are not shortened. */
  public void appendWhole(StringBuilder out, Table table) {
    append(out, table, WIDTH_COLUMNS);
  }

  private void append(StringBuilder out, Table table, int longest) {
    int[] widths = widths(table, longest);
    out.append(styled("1", table.title())).append('\n');
    StringBuilder names = new StringBuilder();
    StringBuilder units = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      Column column = table.columns().get(i);
      boolean words = i < table.labelColumns();
      cell(names, column.name(), widths[i], words, i > 0);
      cell(units, column.unit(), widths[i], words, i > 0);
    }
    out.append(styled("2", names.toString().stripTrailing())).append('\n');
    out.append(styled("2", units.toString().stripTrailing())).append('\n');
    for (Row row : table.rows()) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        cell(line, shown(row.cells().get(i), longest), widths[i], i < table.labelColumns(), i > 0);
      }
      out.append(row.startsGroup() ? "\n" : "").append(line.toString().stripTrailing());
      out.append('\n');
    }
  }

  private static int[] widths(Table table, int longest) {
    int[] widths = new int[table.columns().size()];
    for (int i = 0; i < widths.length; i++) {
      Column column = table.columns().get(i);
      widths[i] = Math.max(column.name().length(), column.unit().length());
      for (Row row : table.rows()) {
        widths[i] = Math.max(widths[i], shown(row.cells().get(i), longest).length());
      }
    }
    return widths;
  }

  private static String shown(Optional<String> cell, int longest) {
    String text = plain(cell.orElse("-"));
    if (text.length() <= longest) {
      return text;
    }
    // Arms often differ in their last option only, so both ends stay.
    int end = longest / 2 - 2;
    return text.substring(0, longest - 3 - end) + "..." + text.substring(text.length() - end);
  }

  private static void cell(StringBuilder line, String text, int width, boolean left, boolean gap) {
    String fill = " ".repeat(width - text.length());
    line.append(gap ? BETWEEN : "").append(left ? text + fill : fill + text);
  }

  /** {@code text} in lines of at most the width, the later ones indented. */
  public void paragraph(StringBuilder out, String style, String lead, String text) {
    String inset = " ".repeat(lead.isEmpty() ? 2 : LEAD_COLUMNS);
    StringBuilder line = new StringBuilder(lead.isEmpty() ? "" : styled(style, lead));
    int used = lead.length();
    boolean fresh = true;
    for (String word : text.strip().split("\\s+")) {
      if (!fresh && used + 1 + word.length() > WIDTH_COLUMNS) {
        out.append(line).append('\n');
        line = new StringBuilder(inset);
        used = inset.length();
        fresh = true;
      }
      line.append(fresh ? "" : " ").append(word);
      used += word.length() + (fresh ? 0 : 1);
      fresh = false;
    }
    out.append(line).append('\n');
  }

  /** Notes, each with {@code lead} before it, such as {@code WARNING}. */
  private void append(StringBuilder out, String lead, Notes notes) {
    for (Note note : notes.notes()) {
      String first = lead;
      for (Finding finding : note.findings()) {
        paragraph(out, "1;33", first, plain(finding.sentence()));
        first = " ".repeat(lead.length());
      }
      note.cause().ifPresent(cause -> paragraph(out, "2", "  cause:  ", plain(cause)));
      note.remedy().ifPresent(remedy -> paragraph(out, "2", "  remedy: ", plain(remedy)));
      out.append('\n');
    }
  }

  /** Replaces control characters, so that no name and no log line can control the terminal. */
  public static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /** {@code text} in a style, given by its ANSI code, if there is colour. */
  public String styled(String code, String text) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
