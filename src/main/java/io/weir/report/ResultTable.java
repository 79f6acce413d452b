package io.weir.report;

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
 * <p><b>Threads:</b> immutable.
 */
public final class ResultTable {

  private final TerminalText form;

  /**
   * @param colour true to mark headers, failures and warnings with ANSI colours
   */
  public ResultTable(boolean colour) {
    this.form = new TerminalText(colour);
  }

  /** Renders {@code run}; the text ends with a line end. */
  public String render(RunResult run) {
    StringBuilder out = new StringBuilder();
    for (Table table : ArmTables.of(run)) {
      form.append(out, table);
      out.append('\n');
    }
    GcTable.of(run)
        .ifPresent(
            table -> {
              form.append(out, table);
              out.append('\n');
            });
    ComparisonTable.of(run)
        .ifPresent(
            table -> {
              form.append(out, table);
              out.append('\n');
            });
    NoiseTable.of(run)
        .ifPresent(
            table -> {
              form.append(out, table);
              out.append('\n');
            });
    for (Headline headline : Headline.of(run)) {
      form.paragraph(
          out, "", "", TerminalText.plain(headline.arm()) + ": " + headline.sentence() + ".");
    }
    SlowReopenTable.of(run)
        .ifPresent(
            table -> {
              out.append('\n');
              form.append(out, table);
            });
    SloTable.of(run)
        .ifPresent(
            table -> {
              out.append('\n');
              form.append(out, table);
            });
    IndexChecks.sentence(run).ifPresent(checks -> form.paragraph(out, "", "", checks));
    if (run.interrupted()) {
      out.append('\n')
          .append(form.styled("1;33", "The run was interrupted: the figures are partial."));
      out.append('\n');
    }
    appendNoise(out, run);
    appendFailures(out, run);
    appendWarnings(out, run);
    return out.toString();
  }

  private void appendFailures(StringBuilder out, RunResult run) {
    for (ArmResult arm : run.arms()) {
      if (arm.status() != ArmStatus.FAILED) {
        continue;
      }
      ArmFailure failure = arm.failure();
      out.append('\n');
      form.paragraph(
          out,
          "1;31",
          "FAILED    ",
          "%s, round %d: %s"
              .formatted(TerminalText.plain(arm.name()), arm.round(), failureText(failure)));
      if (failure != null && failure.lastLines() != null) {
        failure
            .lastLines()
            .forEach(line -> out.append("    | ").append(TerminalText.plain(line)).append('\n'));
      }
    }
  }

  static String failureText(ArmFailure failure) {
    if (failure == null || failure.reason() == null) {
      return "no reason was recorded";
    }
    return TerminalText.plain(failure.reason())
        + (failure.exitCode() == null ? "" : " (exit code %d)".formatted(failure.exitCode()));
  }

  private void appendNoise(StringBuilder out, RunResult run) {
    if (run.noise() != null) {
      run.noise().findings().forEach(finding -> append(out, "NOISE     ", "", finding));
    }
    for (ArmResult arm : run.arms()) {
      if (arm.noise() != null) {
        String who = "%s, round %d: ".formatted(TerminalText.plain(arm.name()), arm.round());
        arm.noise().findings().forEach(finding -> append(out, "NOISE     ", who, finding));
      }
    }
  }

  private void appendWarnings(StringBuilder out, RunResult run) {
    run.warnings().forEach(warning -> append(out, "WARNING   ", "", warning));
    for (ArmResult arm : run.arms()) {
      List<RunWarning> warnings = arm.warnings() == null ? List.of() : arm.warnings();
      String who = "%s, round %d: ".formatted(TerminalText.plain(arm.name()), arm.round());
      warnings.forEach(warning -> append(out, "WARNING   ", who, warning));
    }
  }

  private void append(StringBuilder out, String lead, String who, RunWarning warning) {
    out.append('\n');
    form.paragraph(out, "1;33", lead, who + TerminalText.plain(warning.what()));
    if (warning.cause() != null) {
      form.paragraph(out, "2", "  cause:  ", TerminalText.plain(warning.cause()));
    }
    if (warning.remedy() != null) {
      form.paragraph(out, "2", "  remedy: ", TerminalText.plain(warning.remedy()));
    }
  }
}
