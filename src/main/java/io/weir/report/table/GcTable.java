package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.GcPauses;
import io.weir.stress.result.MeasuredArm;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How long the collector of each arm stopped all threads during the merge. */
public final class GcTable {

  private GcTable() {}

  /** Empty when no arm reported its pauses. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      arm.figures().ifPresent(figures -> rows.add(row(figures)));
    }
    if (ArmResult.measured(run.arms()).noneMatch(arm -> arm.gc().pauses().isPresent())) {
      return Optional.empty();
    }
    Table table =
        new Table(
            "Pauses of the garbage collector during the merge",
            List.of(
                new Column("arm", ""),
                new Column("round", ""),
                new Column("pauses", ""),
                new Column("p99", "ms"),
                new Column("longest", "ms"),
                new Column("total", "ms"),
                new Column("of the time", "%")),
            1,
            rows);
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(MeasuredArm arm) {
    Optional<GcPauses> pauses = arm.gc().pauses().flatMap(Phases::during);
    return Cells.of(arm.name(), Integer.toString(arm.round()))
        .add(pauses.map(GcPauses::count).map(String::valueOf))
        .add(pauses.flatMap(GcPauses::p99Millis).map(Figures::twoDecimals))
        .add(
            pauses
                .filter(during -> during.count() > 0)
                .map(during -> Figures.twoDecimals(during.longestMillis())))
        .add(pauses.map(during -> Figures.twoDecimals(during.totalMillis())))
        .add(pauses.flatMap(during -> arm.phaseSeconds().during().flatMap(s -> share(during, s))))
        .row(false);
  }

  /** In percent. */
  private static Optional<String> share(GcPauses pauses, double seconds) {
    return seconds > 0
        ? Optional.of(Figures.twoDecimals(pauses.totalMillis() / seconds / 10))
        : Optional.empty();
  }
}
