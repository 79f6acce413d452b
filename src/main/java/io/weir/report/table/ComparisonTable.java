package io.weir.report.table;

import io.weir.report.compare.Comparison;
import io.weir.report.compare.Difference;
import io.weir.report.compare.Difference.Verdict;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Differences from the first arm or run, by figure, and whether they may be chance. */
public final class ComparisonTable {

  private ComparisonTable() {}

  /** Arms of a run; empty when there is nothing to compare, or one round only. */
  public static Optional<Table> of(Run run) {
    return Comparison.of(run)
        .filter(comparison -> comparison.rounds() > 1)
        .map(c -> of("", "arm", "round by round", c.base(), c.differences()));
  }

  /**
   * Differences from {@code base}.
   *
   * @param lead the beginning of the title
   * @param what {@code arm} or {@code run}
   * @param how how rounds were paired
   */
  public static Table of(
      String lead, String what, String how, String base, List<Difference> differences) {
    List<Row> rows = new ArrayList<>();
    Set<RunFigure> figures = EnumSet.noneOf(RunFigure.class);
    for (Difference difference : differences) {
      boolean first = figures.isEmpty();
      if (figures.add(difference.figure())) {
        rows.add(baseCells(base, difference).row(!first));
      }
      rows.add(cells(difference).row(false));
    }
    boolean anyInterval = differences.stream().anyMatch(d -> d.verdict() != Verdict.TOO_FEW_ROUNDS);
    return new Table(lead + title("first " + what, how, anyInterval), columns(what), 2, rows);
  }

  private static String title(String base, String how, boolean anyInterval) {
    String title = "Difference from the " + base + ", " + how;
    return anyInterval
        ? title + ", with a %d %% interval".formatted(Comparison.LEVEL_PERCENT)
        : title + " (an interval needs %d rounds)".formatted(Comparison.LEAST_ROUNDS);
  }

  private static List<Column> columns(String what) {
    return List.of(
        new Column("figure", ""),
        new Column(what, ""),
        new Column("median", ""),
        new Column("differs", "%"),
        new Column("interval", "%"),
        new Column("verdict", ""));
  }

  /** The row of the base. */
  private static Cells baseCells(String name, Difference difference) {
    return Cells.of(
        difference.figure().id(), name, median(difference, difference.base()), "", "", "");
  }

  private static Cells cells(Difference difference) {
    return Cells.of(
            "",
            difference.name(),
            median(difference, difference.value()),
            percent(difference.ratio()))
        .add(difference.interval().map(ends -> percent(ends.low()) + " to " + percent(ends.high())))
        .add(difference.verdict().label());
  }

  private static String median(Difference difference, double value) {
    // The pauses of some collectors last hundredths of a millisecond.
    String figure = value < 0.95 ? Figures.twoDecimals(value) : Figures.oneDecimal(value);
    return figure + " " + difference.figure().unit();
  }

  /** {@code +12.3}, of a ratio of 1.123. */
  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%+.1f", (ratio - 1) * 100);
  }
}
