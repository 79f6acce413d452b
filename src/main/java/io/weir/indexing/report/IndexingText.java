package io.weir.indexing.report;

import io.weir.report.text.TerminalText;
import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Run;
import java.util.List;

/**
 * What a terminal shows when a run of {@code weir index} is done: tables, noise, failures and
 * warnings, then the answer.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class IndexingText {

  private final TerminalText form;

  /**
   * The text with or without colours.
   *
   * @param colour true to mark headers, failures and warnings with ANSI colours
   */
  public IndexingText(boolean colour) {
    this.form = new TerminalText(colour);
  }

  /** Renders {@code run}; the text ends with a line end. */
  public String render(Run run) {
    StringBuilder out = new StringBuilder();
    form.append(out, IndexingTables.of(run));
    if (run.interrupted()) {
      out.append(
              form.styled("1;33", "The run was interrupted or has not ended: cells are missing."))
          .append("\n\n");
    }
    append(out, "1;33", "NOISE     ", IndexingNotes.noise(run));
    run.failed().forEach(cell -> append(out, cell, cell.failure().orElseThrow()));
    append(out, "1;33", "WARNING   ", IndexingNotes.warnings(run));
    for (String sentence : IndexingAnswer.of(run)) {
      form.paragraph(out, "", "", TerminalText.plain(sentence));
    }
    return out.toString();
  }

  private void append(StringBuilder out, Part cell, Failure failure) {
    append(out, "1;31", "FAILED    ", List.of(IndexingNotes.failure(cell, failure)));
    failure
        .lastLines()
        .forEach(line -> out.append("    | ").append(TerminalText.plain(line)).append('\n'));
    out.append('\n');
  }

  private void append(StringBuilder out, String style, String lead, List<String> notes) {
    for (String note : notes) {
      form.paragraph(out, style, lead, TerminalText.plain(note));
      out.append('\n');
    }
  }
}
