package io.weir.report;

import io.weir.report.Table.Column;
import io.weir.report.compare.Comparison;
import io.weir.report.compare.Difference;
import io.weir.report.compare.Difference.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How differences stand in a table, those of arms and those of runs alike. */
final class DifferenceCells {

  private DifferenceCells() {}

  static String title(String base, String how, boolean anyInterval) {
    String title = "Difference to the " + base + ", " + how;
    return anyInterval
        ? title + ", with its %d %% interval".formatted(Comparison.LEVEL_PERCENT)
        : title + " (an interval needs %d rounds)".formatted(Comparison.LEAST_ROUNDS);
  }

  static List<Column> columns(String what) {
    return List.of(
        new Column("figure", ""),
        new Column(what, ""),
        new Column("median", ""),
        new Column("differs", "%"),
        new Column("interval", "%"),
        new Column("verdict", ""));
  }

  /** The row of what the others are compared with. */
  static List<String> base(String name, Difference difference) {
    return List.of(
        difference.figure().id(), name, median(difference, difference.base()), "", "", "");
  }

  static List<String> of(Difference difference) {
    return Arrays.asList(
        "",
        difference.name(),
        median(difference, difference.value()),
        percent(difference.ratio()),
        difference.verdict() == Verdict.TOO_FEW_ROUNDS
            ? null
            : percent(difference.low()) + " to " + percent(difference.high()),
        difference.verdict().label());
  }

  private static String median(Difference difference, double value) {
    return Figures.oneDecimal(value) + " " + difference.figure().unit();
  }

  /** {@code +12.3}, of a ratio of 1.123. */
  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%+.1f", (ratio - 1) * 100);
  }
}
