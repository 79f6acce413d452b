package io.weir.report.text;

import io.weir.report.model.CapCurves;
import io.weir.report.table.ArmTables;
import io.weir.report.table.CapTable;
import io.weir.report.table.ComparisonTable;
import io.weir.report.table.Table;
import io.weir.report.words.Answer;
import io.weir.report.words.Headline;
import io.weir.report.words.IndexChecks;
import io.weir.report.words.Notes;
import io.weir.report.words.SweepWords;
import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The text that a terminal shows when a run is done: tables, then noise, failures and warnings,
 * then the answer.
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
  public String render(Run run) {
    StringBuilder out = new StringBuilder();
    form.append(out, tables(run));
    IndexChecks.sentence(run)
        .ifPresent(
            checks -> {
              form.paragraph(out, "", "", checks);
              out.append('\n');
            });
    if (run.interrupted()) {
      out.append(form.styled("1;33", "The run was interrupted: the figures are partial."));
      out.append("\n\n");
    }
    form.append(out, "NOISE     ", Notes.noise(run));
    appendFailures(out, run);
    form.append(out, "WARNING   ", Notes.warnings(run));
    appendAnswer(out, run);
    return out.toString();
  }

  /** The arms of a sweep are too many for more than its caps and its objectives. */
  private static List<Table> tables(Run run) {
    ArmTables arms = new ArmTables(run);
    if (run.sweep().isPresent()) {
      return Stream.concat(
              CapCurves.of(run).stream().map(caps -> CapTable.of(run, caps)),
              Stream.of(arms.slos()))
          .toList();
    }
    List<Table> tables = new ArrayList<>(arms.loads());
    tables.add(1, arms.merges());
    tables.addAll(
        List.of(
            arms.deadlines(),
            arms.pauses(),
            ComparisonTable.of(run),
            arms.cache(),
            arms.noise(),
            arms.slowReopens(),
            arms.slos()));
    return tables;
  }

  /** Last, because the end is what a terminal shows. */
  private void appendAnswer(StringBuilder out, Run run) {
    for (Headline headline : run.sweep().isPresent() ? SweepWords.of(run) : Headline.of(run)) {
      form.paragraph(
          out, "", "", TerminalText.plain(headline.arm() + ": " + headline.sentence() + "."));
    }
    Answer answer = Answer.of(run);
    out.append(answer.paragraphs().isEmpty() ? "" : "\n");
    for (String paragraph : answer.paragraphs()) {
      form.paragraph(out, "", "", TerminalText.plain(paragraph));
    }
    answer.caveat().ifPresent(caveat -> form.paragraph(out, "", "", caveat));
  }

  private void appendFailures(StringBuilder out, Run run) {
    for (Part arm : run.failed().toList()) {
      Failure failure = arm.failure().orElseThrow();
      form.paragraph(
          out,
          "1;31",
          "FAILED    ",
          "%s, round %d: %s"
              .formatted(
                  TerminalText.plain(arm.name()),
                  arm.round(),
                  TerminalText.plain(failure.reason())));
      failure
          .lastLines()
          .forEach(line -> out.append("    | ").append(TerminalText.plain(line)).append('\n'));
      out.append('\n');
    }
  }
}
