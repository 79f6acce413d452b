package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.HostNoise;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.NoiseResult;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** How quiet the machine was while the arms ran: no latency can be better. */
public final class NoiseTable {

  private NoiseTable() {}

  /** Empty when it was not measured. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      if (arm.noise() != null) {
        rows.add(new Row(false, cells(arm, arm.noise())));
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
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static List<String> cells(ArmResult arm, NoiseResult noise) {
    LatencySummary own = noise.hiccups() == null ? null : noise.hiccups().during();
    HostNoise host = noise.host() == null ? null : noise.host().during();
    return Arrays.asList(
        arm.name(),
        Integer.toString(arm.round()),
        own == null || own.count() == 0 ? null : Figures.twoDecimals(own.p99Millis()),
        own == null || own.count() == 0 ? null : Figures.oneDecimal(own.maxMillis()),
        noise.control() == null ? null : Figures.twoDecimals(noise.control().p99Millis()),
        noise.control() == null ? null : Figures.oneDecimal(noise.control().maxMillis()),
        host == null || host.stealPercent() == null
            ? null
            : Figures.oneDecimal(host.stealPercent()),
        host == null || host.foreignDirtiedBytes() == null
            ? null
            : Figures.megabytes(host.foreignDirtiedBytes()));
  }
}
