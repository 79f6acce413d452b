package io.weir.report.text;

import io.weir.report.model.CapCurves;
import io.weir.report.table.ArmTables;
import io.weir.report.table.CapTable;
import io.weir.report.table.ComparisonTable;
import io.weir.report.table.Table;
import io.weir.report.words.Answer;
import io.weir.report.words.Headline;
import io.weir.report.words.Remarks;
import io.weir.run.ArmFigures;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    List<String> sentences = new ArrayList<>();
    for (Headline headline : Headline.all(run)) {
      sentences.add(headline.arm() + ": " + headline.sentence() + ".");
    }
    Answer answer = Answer.of(run);
    if (!answer.paragraphs().isEmpty()) {
      sentences.add("");
    }
    sentences.addAll(answer.paragraphs());
    answer.caveat().ifPresent(sentences::add);
    return form.report(tables(run), checks(run), Remarks.of(run), sentences);
  }

  /** How many indexes were checked after their arms; a broken index is a failure of its arm. */
  private static Optional<String> checks(Run run) {
    long clean =
        run.parts().stream()
            .filter(arm -> arm.get(ArmFigures.CHECKED_SEGMENTS).isPresent())
            .count();
    return clean == 0
        ? Optional.empty()
        : Optional.of(
            "CheckIndex: clean after %d of %d arm runs.".formatted(clean, run.parts().size()));
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
            arms.forecasts(),
            arms.deadlines(),
            arms.pauses(),
            ComparisonTable.of(run),
            arms.cache(),
            arms.noise(),
            arms.slowReopens(),
            arms.slos()));
    return tables;
  }
}
