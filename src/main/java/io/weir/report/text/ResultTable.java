package io.weir.report.text;

import io.weir.report.model.CapCurves;
import io.weir.report.table.ArmTables;
import io.weir.report.table.CacheTable;
import io.weir.report.table.CapTable;
import io.weir.report.table.ComparisonTable;
import io.weir.report.table.GcTable;
import io.weir.report.table.NoiseTable;
import io.weir.report.table.SloTable;
import io.weir.report.table.SlowReopenTable;
import io.weir.report.table.Table;
import io.weir.report.words.ArmAlert;
import io.weir.report.words.FailureWords;
import io.weir.report.words.Headline;
import io.weir.report.words.IndexChecks;
import io.weir.report.words.SweepWords;
import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import java.util.List;
import java.util.Optional;

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
    if (run.sweep() == null) {
      appendArms(out, run);
    } else {
      appendSweep(out, run);
    }
    SlowReopenTable.of(run)
        .filter(table -> run.sweep() == null)
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

  private void appendArms(StringBuilder out, RunResult run) {
    for (Table table : ArmTables.of(run)) {
      form.append(out, table);
      out.append('\n');
    }
    for (Optional<Table> table :
        List.of(GcTable.of(run), ComparisonTable.of(run), CacheTable.of(run), NoiseTable.of(run))) {
      table.ifPresent(
          told -> {
            form.append(out, told);
            out.append('\n');
          });
    }
    for (Headline headline : Headline.of(run)) {
      form.paragraph(
          out, "", "", TerminalText.plain(headline.arm()) + ": " + headline.sentence() + ".");
    }
  }

  /** Points and answers; the arms of a sweep are too many for more. */
  private void appendSweep(StringBuilder out, RunResult run) {
    CapCurves.of(run)
        .ifPresent(
            caps -> {
              form.append(out, CapTable.of(run, caps));
              out.append('\n');
            });
    for (Headline answer : SweepWords.of(run)) {
      form.paragraph(
          out,
          "",
          "",
          TerminalText.plain(answer.arm()) + ": " + TerminalText.plain(answer.sentence()) + ".");
    }
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
              .formatted(
                  TerminalText.plain(arm.name()),
                  arm.round(),
                  TerminalText.plain(FailureWords.of(failure))));
      if (failure != null && failure.lastLines() != null) {
        failure
            .lastLines()
            .forEach(line -> out.append("    | ").append(TerminalText.plain(line)).append('\n'));
      }
    }
  }

  private void appendNoise(StringBuilder out, RunResult run) {
    if (run.noise() != null) {
      run.noise().findings().forEach(finding -> append(out, "NOISE     ", "", finding));
    }
    ArmAlert.noise(run)
        .forEach(
            alert -> append(out, "NOISE     ", TerminalText.plain(alert.who()), alert.warning()));
  }

  private void appendWarnings(StringBuilder out, RunResult run) {
    run.warnings().forEach(warning -> append(out, "WARNING   ", "", warning));
    ArmAlert.warnings(run)
        .forEach(
            alert -> append(out, "WARNING   ", TerminalText.plain(alert.who()), alert.warning()));
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
