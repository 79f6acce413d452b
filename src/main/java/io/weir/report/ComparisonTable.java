package io.weir.report;

import io.weir.report.Table.Column;
import io.weir.report.Table.Row;
import io.weir.report.compare.Comparison;
import io.weir.report.compare.PairedDifference;
import io.weir.report.compare.PairedDifference.Verdict;
import io.weir.stress.result.RunFigure;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How the arms differ from the first, figure by figure, and whether that may be chance. */
final class ComparisonTable {

  private ComparisonTable() {}

  /** Empty when there is nothing to compare. */
  static Optional<Table> of(RunResult run) {
    return Comparison.of(run).map(ComparisonTable::table);
  }

  private static Table table(Comparison comparison) {
    List<Row> rows = new ArrayList<>();
    RunFigure figure = null;
    for (PairedDifference difference : comparison.differences()) {
      if (difference.figure() != figure) {
        rows.add(new Row(figure != null, baseCells(comparison.base(), difference)));
        figure = difference.figure();
      }
      rows.add(new Row(false, cells(difference)));
    }
    return new Table(
        title(comparison),
        List.of(
            new Column("figure", ""),
            new Column("arm", ""),
            new Column("median", ""),
            new Column("differs", "%"),
            new Column("interval", "%"),
            new Column("verdict", "")),
        2,
        rows);
  }

  private static String title(Comparison comparison) {
    String title = "Difference to the first arm, round by round";
    boolean any =
        comparison.differences().stream().anyMatch(d -> d.verdict() != Verdict.TOO_FEW_ROUNDS);
    return any
        ? title + ", with its %d %% interval".formatted(Comparison.LEVEL_PERCENT)
        : title + " (an interval needs %d rounds)".formatted(Comparison.LEAST_ROUNDS);
  }

  private static List<String> baseCells(String base, PairedDifference difference) {
    return List.of(
        difference.figure().id(), base, median(difference, difference.base()), "", "", "");
  }

  private static List<String> cells(PairedDifference difference) {
    return Arrays.asList(
        "",
        difference.arm(),
        median(difference, difference.value()),
        percent(difference.ratio()),
        difference.verdict() == Verdict.TOO_FEW_ROUNDS
            ? null
            : percent(difference.low()) + " to " + percent(difference.high()),
        difference.verdict().label());
  }

  private static String median(PairedDifference difference, double value) {
    return Figures.oneDecimal(value) + " " + difference.figure().unit();
  }

  /** {@code +12.3}, of a ratio of 1.123. */
  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%+.1f", (ratio - 1) * 100);
  }
}
