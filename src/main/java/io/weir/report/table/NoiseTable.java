package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.HostNoise;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How quiet the machine was while the arms ran: no latency can be better. */
public final class NoiseTable {

  private NoiseTable() {}

  /** Empty when it was not measured. */
  public static Optional<Table> of(Run run) {
    List<Row> rows = new ArrayList<>();
    for (Part arm : run.parts()) {
      if (arm.get(ArmFigures.NOISE_CONTROL).isPresent()
          || arm.get(ArmFigures.HICCUPS, Phase.DURING).isPresent()) {
        rows.add(row(arm));
      }
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
    boolean rounds = run.parts().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(Part arm) {
    Optional<LatencySummary> own =
        arm.get(ArmFigures.HICCUPS, Phase.DURING).filter(hiccups -> hiccups.count() > 0);
    Optional<LatencySummary> idle = arm.get(ArmFigures.NOISE_CONTROL);
    Optional<HostNoise> host = arm.get(ArmFigures.NOISE_HOST, Phase.DURING);
    return Cells.of(arm.name(), Integer.toString(arm.round()))
        .add(own.map(hiccups -> Figures.twoDecimals(hiccups.p99Millis())))
        .add(own.map(hiccups -> Figures.oneDecimal(hiccups.maxMillis())))
        .add(idle.map(control -> Figures.twoDecimals(control.p99Millis())))
        .add(idle.map(control -> Figures.oneDecimal(control.maxMillis())))
        .add(host.flatMap(HostNoise::stealPercent).map(Figures::oneDecimal))
        .add(host.flatMap(HostNoise::foreignDirtiedBytes).map(Figures::megabytes))
        .row(false);
  }
}
