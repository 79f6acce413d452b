package io.weir.report;

import io.weir.report.Table.Column;
import io.weir.report.Table.Row;
import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import java.util.List;

/**
 * The text a terminal shows when a run is done: tables, why reopens were slow if any were, then
 * failures and warnings.
 *
 * <p>Columns are aligned and lines are at most {@value #WIDTH_COLUMNS} columns wide, except where a
 * figure would have to be cut: then the line is longer. Names of arms are cut, never figures.
 * {@code -} stands for what was not measured.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class ResultTable {
  static final int WIDTH_COLUMNS = 100;
  private static final int LONGEST_NAME_COLUMNS = 24;
  private static final String BETWEEN = "  ";

  private final boolean colour;

  /**
   * @param colour true to mark headers, failures and warnings with ANSI colours
   */
  public ResultTable(boolean colour) {
    this.colour = colour;
  }

  /** Renders {@code run}; the text ends with a line end. */
  public String render(RunResult run) {
    StringBuilder out = new StringBuilder();
    for (Table table : ArmTables.of(run)) {
      append(out, table);
      out.append('\n');
    }
    ComparisonTable.of(run)
        .ifPresent(
            table -> {
              append(out, table);
              out.append('\n');
            });
    for (Headline headline : Headline.of(run)) {
      paragraph(out, "", "", plain(headline.arm()) + ": " + headline.sentence() + ".");
    }
    SlowReopenTable.of(run)
        .ifPresent(
            table -> {
              out.append('\n');
              append(out, table);
            });
    SloTable.of(run)
        .ifPresent(
            table -> {
              out.append('\n');
              append(out, table);
            });
    IndexChecks.sentence(run).ifPresent(checks -> paragraph(out, "", "", checks));
    if (run.interrupted()) {
      out.append('\n').append(styled("1;33", "The run was interrupted: the figures are partial."));
      out.append('\n');
    }
    appendFailures(out, run);
    appendWarnings(out, run);
    return out.toString();
  }

  private void append(StringBuilder out, Table table) {
    int[] widths = widths(table);
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
        cell(line, shown(row.cells().get(i)), widths[i], i < table.labelColumns(), i > 0);
      }
      out.append(row.startsGroup() ? "\n" : "").append(line.toString().stripTrailing());
      out.append('\n');
    }
  }

  private static int[] widths(Table table) {
    int[] widths = new int[table.columns().size()];
    for (int i = 0; i < widths.length; i++) {
      Column column = table.columns().get(i);
      widths[i] = Math.max(column.name().length(), column.unit().length());
      for (Row row : table.rows()) {
        widths[i] = Math.max(widths[i], shown(row.cells().get(i)).length());
      }
    }
    return widths;
  }

  private static String shown(String cell) {
    if (cell == null) {
      return "-";
    }
    String text = plain(cell);
    if (text.length() <= LONGEST_NAME_COLUMNS) {
      return text;
    }
    // Arms are often told apart by their last option, so both ends stay.
    int end = LONGEST_NAME_COLUMNS / 2 - 2;
    return text.substring(0, LONGEST_NAME_COLUMNS - 3 - end)
        + "..."
        + text.substring(text.length() - end);
  }

  private static void cell(StringBuilder line, String text, int width, boolean left, boolean gap) {
    String fill = " ".repeat(width - text.length());
    line.append(gap ? BETWEEN : "").append(left ? text + fill : fill + text);
  }

  private void appendFailures(StringBuilder out, RunResult run) {
    for (ArmResult arm : run.arms()) {
      if (arm.status() != ArmStatus.FAILED) {
        continue;
      }
      ArmFailure failure = arm.failure();
      out.append('\n');
      paragraph(
          out,
          "1;31",
          "FAILED    ",
          "%s, round %d: %s".formatted(plain(arm.name()), arm.round(), failureText(failure)));
      if (failure != null && failure.lastLines() != null) {
        failure.lastLines().forEach(line -> out.append("    | ").append(plain(line)).append('\n'));
      }
    }
  }

  static String failureText(ArmFailure failure) {
    if (failure == null || failure.reason() == null) {
      return "no reason was recorded";
    }
    return plain(failure.reason())
        + (failure.exitCode() == null ? "" : " (exit code %d)".formatted(failure.exitCode()));
  }

  private void appendWarnings(StringBuilder out, RunResult run) {
    run.warnings().forEach(warning -> append(out, "", warning));
    for (ArmResult arm : run.arms()) {
      List<RunWarning> warnings = arm.warnings() == null ? List.of() : arm.warnings();
      String who = "%s, round %d: ".formatted(plain(arm.name()), arm.round());
      warnings.forEach(warning -> append(out, who, warning));
    }
  }

  private void append(StringBuilder out, String who, RunWarning warning) {
    out.append('\n');
    paragraph(out, "1;33", "WARNING   ", who + plain(warning.what()));
    if (warning.cause() != null) {
      paragraph(out, "2", "  cause:  ", plain(warning.cause()));
    }
    if (warning.remedy() != null) {
      paragraph(out, "2", "  remedy: ", plain(warning.remedy()));
    }
  }

  /** {@code text} in lines of at most the width, the later ones set in below the first. */
  private void paragraph(StringBuilder out, String style, String lead, String text) {
    String inset = " ".repeat(10);
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

  /** No control character of a name or a log line reaches the terminal. */
  private static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private String styled(String code, String text) {
    return colour ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
