package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmNoise;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.InstrumentResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.MeasuredArm;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.WarmUpResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The floor and the cost of the measurement, and whether the arm was steady. */
public final class InstrumentTable {

  private InstrumentTable() {}

  /** Empty when nothing of it was measured. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      arm.figures().ifPresent(figures -> rows.add(row(figures)));
    }
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
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(MeasuredArm arm) {
    InstrumentResult instrument = arm.instrument();
    Optional<LatencySummary> floor =
        arm.noise()
            .flatMap(ArmNoise::hiccups)
            .map(Phases::during)
            .filter(hiccups -> hiccups.count() > 0);
    long due = instrument.samples() + instrument.missedSamples();
    return Cells.of(arm.name(), Integer.toString(arm.round()))
        .add(floor.map(hiccups -> Figures.twoDecimals(hiccups.p50Millis())))
        .add(floor.map(hiccups -> Figures.twoDecimals(hiccups.p99Millis())))
        .add(instrument.cpuPercent().map(Figures::twoDecimals))
        .add("%d of %d".formatted(instrument.missedSamples(), due))
        .add(Figures.oneDecimal(instrument.longestGapMillis()))
        .add(arm.warmUp().map(warmUp -> Figures.oneDecimal(warmUp.seconds())))
        .add(arm.warmUp().flatMap(WarmUpResult::steady).map(steady -> steady ? "yes" : "no"))
        .row(false);
  }
}
