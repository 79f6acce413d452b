package io.weir.report.table;

import io.weir.report.compare.Comparison;
import io.weir.report.compare.Difference;
import io.weir.report.compare.Difference.Verdict;
import io.weir.report.words.Figures;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Differences from the first arm or run, by figure, and whether they may be chance. */
public final class ComparisonTable {

  private ComparisonTable() {}

  /** A difference, or the base of those below it. */
  private record Line(Difference difference, Optional<String> base) {

    /** A cell that the base has not. */
    Optional<String> unlessBase(Function<Difference, Optional<String>> cell) {
      return base.isPresent() ? Optional.of("") : cell.apply(difference);
    }
  }

  /** Arms of a run; without rows when there is nothing to compare, or one round only. */
  public static Table of(Run run) {
    return Comparison.of(run)
        .filter(comparison -> comparison.rounds() > 1)
        .map(
            c ->
                of(
                    c.obstacles().isEmpty() ? "" : "Not comparable. ",
                    "arm",
                    "round by round",
                    c.base(),
                    c.differences(),
                    c.obstacles().isEmpty()))
        .orElseGet(() -> Sheet.of("").table(List.of()));
  }

  /**
   * Differences from {@code base}.
   *
   * @param lead the beginning of the title
   * @param what {@code arm} or {@code run}
   * @param how how rounds were paired
   * @param hasVerdicts whether the runs allow any
   */
  public static Table of(
      String lead,
      String what,
      String how,
      String base,
      List<Difference> differences,
      boolean hasVerdicts) {
    boolean anyInterval = differences.stream().anyMatch(d -> d.interval().isPresent());
    List<Line> lines = new ArrayList<>();
    Set<RunFigure> figures = EnumSet.noneOf(RunFigure.class);
    for (Difference difference : differences) {
      if (figures.add(difference.figure())) {
        lines.add(new Line(difference, Optional.of(base)));
      }
      lines.add(new Line(difference, Optional.empty()));
    }
    return Sheet.<Line>wide(lead + title("first " + what, how, anyInterval))
        .groupedBy(line -> line.difference().figure())
        .word("figure", line -> line.difference().figure().id())
        .once()
        .word(what, line -> line.base().orElse(line.difference().name()))
        .text("mean", "", ComparisonTable::mean)
        .cell("differs", "%", line -> line.unlessBase(d -> Optional.of(percent(d.ratio()))))
        .cell("interval", "%", line -> line.unlessBase(ComparisonTable::interval))
        .cell("verdict", "", line -> line.unlessBase(d -> Optional.of(d.verdict().label())))
        .when(hasVerdicts)
        .cell("would see", "%", line -> line.unlessBase(ComparisonTable::wouldSee))
        .when(hasVerdicts && differences.stream().anyMatch(d -> d.verdict() == Verdict.NONE))
        .table(lines);
  }

  private static String title(String base, String how, boolean anyInterval) {
    String title = "Difference from the " + base + ", " + how;
    return anyInterval
        ? title + ", geometric means with a %d %% interval".formatted(Comparison.LEVEL_PERCENT)
        : title + " (an interval needs %d rounds)".formatted(Comparison.LEAST_ROUNDS);
  }

  private static String mean(Line line) {
    Difference difference = line.difference();
    double value = line.base().isPresent() ? difference.base() : difference.value();
    // The pauses of some collectors last hundredths of a millisecond.
    String figure = value < 0.95 ? Figures.twoDecimals(value) : Figures.oneDecimal(value);
    return figure + " " + difference.figure().unit();
  }

  /** The smallest difference that these rounds would have seen, where they saw none. */
  private static Optional<String> wouldSee(Difference difference) {
    return difference.verdict() == Verdict.NONE
        ? difference.leastSeen().map(least -> String.format(Locale.ROOT, "%.0f", least * 100))
        : Optional.empty();
  }

  private static Optional<String> interval(Difference difference) {
    return difference.interval().map(ends -> percent(ends.low()) + " to " + percent(ends.high()));
  }

  /** {@code +12.3}, of a ratio of 1.123. */
  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%+.1f", (ratio - 1) * 100);
  }
}
