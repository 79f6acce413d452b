package io.weir.report.text;

import io.weir.report.compare.RunComparison;
import io.weir.report.table.ComparisonTable;
import java.util.List;

/**
 * The text that a terminal shows of a comparison of runs.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class RunComparisonText {

  private final TerminalText form;

  /**
   * @param colour true to mark headers and warnings with ANSI colours
   */
  public RunComparisonText(boolean colour) {
    this.form = new TerminalText(colour);
  }

  /**
   * Renders {@code comparison}, which has no obstacles; the text ends with a line end.
   *
   * @param base the name of the run that the others are compared with
   */
  public String render(String base, RunComparison comparison) {
    StringBuilder out = new StringBuilder();
    comparison
        .incomparable()
        .forEach((run, arms) -> append(out, "Not comparable: arms of " + run, arms));
    comparison
        .differences()
        .forEach(
            (arm, differences) -> {
              form.append(
                  out,
                  List.of(
                      ComparisonTable.of(
                          TerminalText.plain(arm) + ": ",
                          "run",
                          "all rounds",
                          base,
                          differences,
                          comparison.incomparable().isEmpty())));
            });
    if (comparison.differences().isEmpty()) {
      form.paragraph(out, "", "", "No arm of the same name has figures in these runs.");
    }
    comparison
        .changes()
        .forEach((run, changes) -> append(out, "Other differences in " + run, changes));
    return out.toString();
  }

  private void append(StringBuilder out, String title, List<String> lines) {
    out.append(form.styled("1", TerminalText.plain(title))).append('\n');
    lines.forEach(line -> form.paragraph(out, "", "  ", TerminalText.plain(line)));
  }
}
