package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.words.SloWords;
import io.weir.run.Run;
import java.util.List;
import java.util.Optional;

/** Whether the arms met the objectives. */
public final class SloTable {

  private SloTable() {}

  /** Empty when the run has none. */
  public static Optional<Table> of(Run run) {
    return run.slos().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Table(
                "Objectives, by the median of rounds",
                List.of(
                    new Column("arm", ""),
                    new Column("objective", ""),
                    new Column("measured", ""),
                    new Column("", "")),
                2,
                run.slos().stream()
                    .map(
                        slo ->
                            Cells.of(
                                    slo.arm(),
                                    slo.slo(),
                                    SloWords.measured(slo),
                                    slo.met() ? "met" : "missed")
                                .row(false))
                    .toList()));
  }
}
