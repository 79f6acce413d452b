package io.weir.indexing.report;

import io.weir.report.text.TerminalText;
import io.weir.report.words.Remarks;
import io.weir.run.Run;
import java.util.Optional;

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
    return form.report(
        IndexingTables.of(run), Optional.empty(), Remarks.of(run), IndexingAnswer.of(run));
  }
}
