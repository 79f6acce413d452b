package io.weir.report.load;

import io.weir.load.result.LoadArm;
import io.weir.load.result.LoadRun;
import io.weir.report.text.TerminalText;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmStatus;
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
  public String render(LoadRun run) {
    StringBuilder out = new StringBuilder();
    form.append(out, LoadTables.of(run));
    if (run.interrupted()) {
      out.append(form.styled("1;33", "The run was interrupted: the figures are partial."));
      out.append("\n\n");
    }
    form.append(out, "NOISE     ", LoadNotes.noise(run));
    for (LoadArm arm : run.arms()) {
      if (arm.status() == ArmStatus.FAILED) {
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
    form.append(out, "WARNING   ", LoadNotes.warnings(run));
    for (String name : run.names()) {
      form.paragraph(
          out,
          "",
          "",
          TerminalText.plain(
              name + ": " + Saturations.of(name, run.rounds(name)).sentence() + "."));
    }
    run.arms().stream()
        .flatMap(arm -> arm.floor().stream())
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
