package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How long the collector of each arm stopped all threads during the merge. */
public final class GcTable {

  private GcTable() {}

  /** Empty when no arm reported its pauses. */
  public static Optional<Table> of(Run run) {
    List<Row> rows = new ArrayList<>();
    run.measured().forEach(arm -> rows.add(row(arm)));
    if (run.measured().noneMatch(GcTable::isReported)) {
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
    boolean rounds = run.parts().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(Part arm) {
    Optional<Long> pauses = arm.get(ArmFigures.GC_PAUSES, Phase.DURING);
    Optional<Double> paused = arm.get(ArmFigures.GC_PAUSED, Phase.DURING);
    return Cells.of(arm.name(), Integer.toString(arm.round()))
        .add(pauses.map(String::valueOf))
        .add(arm.get(ArmFigures.GC_P99, Phase.DURING).map(Figures::twoDecimals))
        .add(
            arm.get(ArmFigures.GC_LONGEST, Phase.DURING)
                .filter(any -> pauses.orElse(0L) > 0)
                .map(Figures::twoDecimals))
        .add(paused.map(Figures::twoDecimals))
        .add(
            paused.flatMap(
                millis ->
                    arm.get(ArmFigures.PHASE_SECONDS, Phase.DURING)
                        .flatMap(seconds -> share(millis, seconds))))
        .row(false);
  }

  private static boolean isReported(Part arm) {
    return Phase.MEASURED.stream()
        .anyMatch(phase -> arm.get(ArmFigures.GC_PAUSES, phase).isPresent());
  }

  /** In percent. */
  private static Optional<String> share(double pausedMillis, double seconds) {
    return seconds > 0
        ? Optional.of(Figures.twoDecimals(pausedMillis / seconds / 10))
        : Optional.empty();
  }
}
