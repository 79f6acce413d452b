package io.weir.report;

import io.weir.report.Table.Row;
import io.weir.report.compare.Comparison;
import io.weir.report.compare.Difference;
import io.weir.report.compare.Difference.Verdict;
import io.weir.stress.result.RunFigure;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How things differ from the first of them, figure by figure, and whether that may be chance. */
final class ComparisonTable {

  private ComparisonTable() {}

  /** Arms of a run; empty when there is nothing to compare. */
  static Optional<Table> of(RunResult run) {
    return Comparison.of(run).map(c -> of("", "arm", "round by round", c.base(), c.differences()));
  }

  /**
   * Of {@code what} things, each against {@code base}.
   *
   * @param lead what the title begins with
   * @param how they were paired
   */
  static Table of(String lead, String what, String how, String base, List<Difference> differences) {
    List<Row> rows = new ArrayList<>();
    RunFigure figure = null;
    for (Difference difference : differences) {
      if (difference.figure() != figure) {
        rows.add(new Row(figure != null, DifferenceCells.base(base, difference)));
        figure = difference.figure();
      }
      rows.add(new Row(false, DifferenceCells.of(difference)));
    }
    boolean anyInterval = differences.stream().anyMatch(d -> d.verdict() != Verdict.TOO_FEW_ROUNDS);
    return new Table(
        lead + DifferenceCells.title("first " + what, how, anyInterval),
        DifferenceCells.columns(what),
        2,
        rows);
  }
}
