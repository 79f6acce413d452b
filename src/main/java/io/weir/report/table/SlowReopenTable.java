package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.MeasuredArm;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.SlowReopenCause;
import io.weir.stress.result.SlowReopenResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The causes of slow reopens during the merge, by arm, the largest first. */
public final class SlowReopenTable {

  /** The most causes of one arm; the others share one line. */
  private static final int TOP_CAUSES = 5;

  private SlowReopenTable() {}

  /** Empty when no arm had a slow reopen during the merge. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    long thresholdMillis = 0;
    for (MeasuredArm arm : ArmResult.measured(run.arms()).toList()) {
      SlowReopenResult slow = arm.slowReopens();
      if (slow.reopens().during() > 0) {
        thresholdMillis = slow.thresholdMillis();
        addRows(rows, arm, slow);
      }
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Table table =
        new Table(
            "Why reopens were slow during the merge: time of those over " + thresholdMillis + " ms",
            List.of(
                new Column("arm", ""),
                new Column("cause", ""),
                new Column("round", ""),
                new Column("share", "%"),
                new Column("lost", "s"),
                new Column("reopens", "")),
            2,
            rows);
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static void addRows(List<Row> rows, MeasuredArm arm, SlowReopenResult slow) {
    rows.add(
        row(
            !rows.isEmpty(),
            arm.name(),
            "all",
            Integer.toString(arm.round()),
            1,
            slow.lostSeconds().during(),
            Optional.of(slow.reopens().during())));
    List<SlowReopenCause> causes = slow.causes().during();
    int top = causes.size() <= TOP_CAUSES + 1 ? causes.size() : TOP_CAUSES;
    for (SlowReopenCause cause : causes.subList(0, top)) {
      rows.add(
          row(
              false,
              "",
              cause.label(),
              "",
              cause.share(),
              cause.seconds(),
              Optional.of(cause.reopens())));
    }
    if (top < causes.size()) {
      List<SlowReopenCause> others = causes.subList(top, causes.size());
      rows.add(
          row(
              false,
              "",
              others.size() + " other causes",
              "",
              others.stream().mapToDouble(SlowReopenCause::share).sum(),
              others.stream().mapToDouble(SlowReopenCause::seconds).sum(),
              Optional.empty())); // one reopen may have several causes
    }
  }

  private static Row row(
      boolean startsGroup,
      String arm,
      String cause,
      String round,
      double share,
      double seconds,
      Optional<Long> reopens) {
    return Cells.of(
            arm,
            cause,
            round,
            Figures.oneDecimal(share * 100),
            Figures.twoDecimals(seconds),
            reopens.map(String::valueOf).orElse(""))
        .row(startsGroup);
  }
}
