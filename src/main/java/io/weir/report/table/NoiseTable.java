package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmNoise;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.HostNoise;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How quiet the machine was while the arms ran: no latency can be better. */
public final class NoiseTable {

  private NoiseTable() {}

  /** Empty when it was not measured. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      arm.noise().ifPresent(noise -> rows.add(row(arm, noise)));
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Table table =
        new Table(
            "Noise: how late an idle thread woke up, in the arm and in an idle JVM; other writes",
            List.of(
                new Column("arm", ""),
                new Column("round", ""),
                new Column("arm p99", "ms"),
                new Column("arm max", "ms"),
                new Column("idle p99", "ms"),
                new Column("idle max", "ms"),
                new Column("stolen", "%"),
                new Column("others wrote", "MB")),
            1,
            rows);
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(ArmResult arm, ArmNoise noise) {
    Optional<LatencySummary> own =
        noise.hiccups().map(Phases::during).filter(hiccups -> hiccups.count() > 0);
    Optional<HostNoise> host = noise.host().flatMap(Phases::during);
    return Cells.of(arm.name(), Integer.toString(arm.round()))
        .add(own.map(hiccups -> Figures.twoDecimals(hiccups.p99Millis())))
        .add(own.map(hiccups -> Figures.oneDecimal(hiccups.maxMillis())))
        .add(noise.control().map(control -> Figures.twoDecimals(control.p99Millis())))
        .add(noise.control().map(control -> Figures.oneDecimal(control.maxMillis())))
        .add(host.flatMap(HostNoise::stealPercent).map(Figures::oneDecimal))
        .add(host.flatMap(HostNoise::foreignDirtiedBytes).map(Figures::megabytes))
        .row(false);
  }
}
