package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.InstrumentResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.WarmUpResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The floor and the cost of the measurement, and whether the arm was steady. */
public final class InstrumentTable {

  private InstrumentTable() {}

  /** Empty when nothing of it was measured. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      if (arm.instrument() != null) {
        rows.add(new Row(false, cells(arm)));
      }
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

  private static List<String> cells(ArmResult arm) {
    InstrumentResult instrument = arm.instrument();
    LatencySummary floor =
        arm.noise() == null || arm.noise().hiccups() == null
            ? null
            : arm.noise().hiccups().during();
    boolean hasFloor = floor != null && floor.count() > 0;
    WarmUpResult warmUp = arm.warmUp();
    return Arrays.asList(
        arm.name(),
        Integer.toString(arm.round()),
        hasFloor ? Figures.twoDecimals(floor.p50Millis()) : null,
        hasFloor ? Figures.twoDecimals(floor.p99Millis()) : null,
        instrument.cpuPercent() == null ? null : Figures.twoDecimals(instrument.cpuPercent()),
        "%d of %d"
            .formatted(
                instrument.missedSamples(), instrument.samples() + instrument.missedSamples()),
        Figures.oneDecimal(instrument.longestGapMillis()),
        warmUp == null ? null : Figures.oneDecimal(warmUp.seconds()),
        warmUp == null || warmUp.steady() == null ? null : warmUp.steady() ? "yes" : "no");
  }
}
