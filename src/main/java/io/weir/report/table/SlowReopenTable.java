package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.SlowCauses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The causes of slow reopens during the merge, by arm, the largest first. */
public final class SlowReopenTable {

  /** The most causes of one arm; the others share one line. */
  private static final int TOP_CAUSES = 5;

  private SlowReopenTable() {}

  /** Empty when no arm had a slow reopen during the merge. */
  public static Optional<Table> of(Run run) {
    List<Row> rows = new ArrayList<>();
    long thresholdMillis = 0;
    for (Part arm : run.parts()) {
      long reopens = arm.get(ArmFigures.SLOW_REOPENS, Phase.DURING).orElse(0L);
      if (reopens > 0) {
        thresholdMillis = arm.require(ArmFigures.SLOW_THRESHOLD);
        addRows(rows, arm, reopens);
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
    boolean rounds = run.parts().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static void addRows(List<Row> rows, Part arm, long reopens) {
    rows.add(
        row(
            !rows.isEmpty(),
            arm.name(),
            "all",
            Integer.toString(arm.round()),
            1,
            arm.require(ArmFigures.SLOW_LOST, Phase.DURING),
            Optional.of(reopens)));
    List<SlowCauses.Cause> causes = arm.require(ArmFigures.SLOW_CAUSES, Phase.DURING).list();
    int top = causes.size() <= TOP_CAUSES + 1 ? causes.size() : TOP_CAUSES;
    for (SlowCauses.Cause cause : causes.subList(0, top)) {
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
      List<SlowCauses.Cause> others = causes.subList(top, causes.size());
      rows.add(
          row(
              false,
              "",
              others.size() + " other causes",
              "",
              others.stream().mapToDouble(SlowCauses.Cause::share).sum(),
              others.stream().mapToDouble(SlowCauses.Cause::seconds).sum(),
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
