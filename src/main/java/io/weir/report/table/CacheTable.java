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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The state of the page cache in each arm, and the bytes that the arm read from storage. */
public final class CacheTable {

  private CacheTable() {}

  /** Empty when it was not measured. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      if (arm.cache() != null) {
        rows.add(new Row(false, cells(arm, arm.cache())));
      }
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

  private static List<String> cells(ArmResult arm, CacheResult cache) {
    Phases<StorageReads> phases =
        cache.phases() == null ? new Phases<>(null, null, null) : cache.phases();
    return Arrays.asList(
        arm.name(),
        Integer.toString(arm.round()),
        cache.asked(),
        cache.residentShare() == null ? null : Figures.oneDecimal(100 * cache.residentShare()),
        read(cache.warmup()),
        read(phases.before()),
        read(phases.during()),
        read(phases.after()),
        phases.during() == null || phases.during().majorFaults() == null
            ? null
            : Long.toString(phases.during().majorFaults()));
  }

  private static String read(StorageReads reads) {
    return reads == null || reads.readBytes() == null ? null : Figures.megabytes(reads.readBytes());
  }
}
