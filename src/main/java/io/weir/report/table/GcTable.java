package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.GcPauses;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How long the collector of each arm stopped all threads during the merge. */
public final class GcTable {

  private GcTable() {}

  /** Empty when no arm reported its pauses. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      if (arm.gc() != null) {
        rows.add(new Row(false, cells(arm)));
      }
    }
    if (run.arms().stream().noneMatch(arm -> arm.gc() != null && arm.gc().pauses() != null)) {
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

  private static List<String> cells(ArmResult arm) {
    GcPauses pauses = during(arm.gc().pauses());
    Double seconds = during(arm.phaseSeconds());
    return Arrays.asList(
        arm.name(),
        Integer.toString(arm.round()),
        pauses == null ? null : Long.toString(pauses.count()),
        pauses == null || pauses.p99Millis() == null
            ? null
            : Figures.twoDecimals(pauses.p99Millis()),
        pauses == null || pauses.count() == 0 ? null : Figures.twoDecimals(pauses.longestMillis()),
        pauses == null ? null : Figures.twoDecimals(pauses.totalMillis()),
        pauses == null || seconds == null || seconds == 0
            ? null
            : Figures.twoDecimals(pauses.totalMillis() / seconds / 10));
  }

  private static <T> T during(Phases<T> phases) {
    return phases == null ? null : phases.during();
  }
}
