package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The floor and the cost of the measurement, and whether the arm was steady. */
public final class InstrumentTable {

  private InstrumentTable() {}

  /** Empty when nothing of it was measured. */
  public static Optional<Table> of(Run run) {
    List<Row> rows = new ArrayList<>();
    run.measured().forEach(arm -> rows.add(row(arm)));
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Table table =
        new Table(
            "Instrument: latency of an empty operation, processor time of measuring, samples,"
                + " warm-up",
            List.of(
                new Column("arm", ""),
                new Column("round", ""),
                new Column("floor p50", "ms"),
                new Column("floor p99", "ms"),
                new Column("measuring", "% CPU"),
                new Column("missed", "samples"),
                new Column("longest gap", "ms"),
                new Column("warm-up", "s"),
                new Column("steady", "")),
            1,
            rows);
    boolean rounds = run.parts().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(Part arm) {
    Optional<LatencySummary> floor =
        arm.get(ArmFigures.HICCUPS, Phase.DURING).filter(hiccups -> hiccups.count() > 0);
    long missed = arm.require(ArmFigures.MISSED_SAMPLES);
    long due = arm.require(ArmFigures.SAMPLES) + missed;
    return Cells.of(arm.name(), Integer.toString(arm.round()))
        .add(floor.map(hiccups -> Figures.twoDecimals(hiccups.p50Millis())))
        .add(floor.map(hiccups -> Figures.twoDecimals(hiccups.p99Millis())))
        .add(arm.get(ArmFigures.INSTRUMENT_CPU_PERCENT).map(Figures::twoDecimals))
        .add("%d of %d".formatted(missed, due))
        .add(arm.get(ArmFigures.LONGEST_GAP).map(Figures::oneDecimal))
        .add(arm.get(ArmFigures.WARM_UP_SECONDS).map(Figures::oneDecimal))
        .add(arm.get(ArmFigures.WARM_UP_STEADY).map(steady -> steady ? "yes" : "no"))
        .row(false);
  }
}
