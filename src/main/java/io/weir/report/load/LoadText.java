package io.weir.report.load;

import io.weir.report.text.TerminalText;
import io.weir.report.words.Figures;
import io.weir.report.words.Notes;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import java.util.Locale;

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
    StringBuilder out = new StringBuilder();
    form.append(out, LoadTables.of(run));
    if (run.interrupted()) {
      out.append(form.styled("1;33", "The run was interrupted: the figures are partial."));
      out.append("\n\n");
    }
    form.append(out, "NOISE     ", Notes.noise(run));
    for (Part arm : run.parts()) {
      if (arm.status() == Status.FAILED) {
        arm.failure()
            .ifPresent(
                failure -> {
                  form.paragraph(
                      out,
                      "1;31",
                      "FAILED    ",
                      TerminalText.plain(
                          "%s, round %d: %s".formatted(arm.name(), arm.round(), failure.reason())));
                  failure
                      .lastLines()
                      .forEach(
                          line ->
                              out.append("    | ").append(TerminalText.plain(line)).append('\n'));
                  out.append('\n');
                });
      }
    }
    form.append(out, "WARNING   ", Notes.warnings(run));
    for (String name : run.names()) {
      form.paragraph(
          out,
          "",
          "",
          TerminalText.plain(
              name + ": " + Saturations.of(name, run.rounds(name)).sentence() + "."));
    }
    run.parts().stream()
        .flatMap(arm -> arm.get(StepFigures.FLOOR).stream())
        .findFirst()
        .ifPresent(
            floor ->
                form.paragraph(
                    out,
                    "",
                    "",
                    String.format(
                        Locale.ROOT,
                        "The client's own floor: p50 %s ms, p99 %s ms, max %s ms.",
                        Figures.brief(floor.p50Millis()),
                        Figures.brief(floor.p99Millis()),
                        Figures.brief(floor.maxMillis()))));
    return out.toString();
  }
}
