package io.weir.report.load;

import io.weir.report.text.TerminalText;
import io.weir.report.words.Figures;
import io.weir.report.words.Remarks;
import io.weir.run.Run;
import io.weir.run.StepFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The text that a terminal shows when a run of {@code weir load} is done: tables, then noise,
 * failures and warnings, then where each arm saturates.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class LoadText {

  private final TerminalText form;

  /**
   * The form of a text.
   *
   * @param colour true to mark headers, failures and warnings with ANSI colours
   */
  public LoadText(boolean colour) {
    this.form = new TerminalText(colour);
  }

  /** Renders {@code run}; the text ends with a line end. */
  public String render(Run run) {
    List<String> sentences = new ArrayList<>();
    for (String name : run.names()) {
      sentences.add(name + ": " + Saturations.of(name, run.rounds(name)).sentence() + ".");
    }
    run.parts().stream()
        .flatMap(arm -> arm.get(StepFigures.FLOOR).stream())
        .findFirst()
        .ifPresent(
            floor ->
                sentences.add(
                    "The client's own floor: p50 %s ms, p99 %s ms, max %s ms."
                        .formatted(
                            Figures.brief(floor.p50Millis()),
                            Figures.brief(floor.p99Millis()),
                            Figures.brief(floor.maxMillis()))));
    Saturations.answer(run)
        .ifPresent(
            answer -> {
              sentences.add("");
              sentences.add(answer);
            });
    return form.report(LoadTables.of(run), Optional.empty(), Remarks.of(run), sentences);
  }
}
