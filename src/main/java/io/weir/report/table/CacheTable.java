package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.CacheResult;
import io.weir.stress.result.Phases;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.StorageReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The state of the page cache in each arm, and the bytes that the arm read from storage. */
public final class CacheTable {

  private CacheTable() {}

  /** Empty when it was not measured. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      arm.cache().ifPresent(cache -> rows.add(row(arm, cache)));
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Table table =
        new Table(
            "Page cache: share of the index in it when opened; bytes read from storage; faults"
                + " during",
            List.of(
                new Column("arm", ""),
                new Column("round", ""),
                new Column("requested", ""),
                new Column("in cache", "%"),
                new Column("warm-up", "MB"),
                new Column("before", "MB"),
                new Column("during", "MB"),
                new Column("after", "MB"),
                new Column("faults", "")),
            1,
            rows);
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(ArmResult arm, CacheResult cache) {
    Phases<Optional<StorageReads>> phases = cache.phases();
    return Cells.of(arm.name(), Integer.toString(arm.round()), cache.asked())
        .add(cache.residentShare().map(share -> Figures.oneDecimal(100 * share)))
        .add(read(cache.warmup()))
        .add(read(phases.before()))
        .add(read(phases.during()))
        .add(read(phases.after()))
        .add(phases.during().flatMap(StorageReads::majorFaults).map(String::valueOf))
        .row(false);
  }

  private static Optional<String> read(Optional<StorageReads> reads) {
    return reads.flatMap(StorageReads::readBytes).map(Figures::megabytes);
  }
}
