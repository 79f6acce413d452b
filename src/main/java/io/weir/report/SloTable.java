package io.weir.report;

import io.weir.report.Table.Column;
import io.weir.report.Table.Row;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.SloResult;
import java.util.List;
import java.util.Optional;

/** Whether the arms kept to the objectives that were set. */
final class SloTable {

  private SloTable() {}

  /** Empty when none were set. */
  static Optional<Table> of(RunResult run) {
    return run.slos().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Table(
                "Objectives, by the median of rounds",
                List.of(
                    new Column("arm", ""),
                    new Column("objective", ""),
                    new Column("it was", ""),
                    new Column("", "")),
                2,
                run.slos().stream()
                    .map(
                        slo ->
                            new Row(
                                false,
                                List.of(
                                    slo.arm(),
                                    slo.slo(),
                                    measured(slo),
                                    slo.met() ? "met" : "missed")))
                    .toList()));
  }

  /** {@code 31.2 ms}, or why it is not known. */
  static String measured(SloResult slo) {
    if (slo.value() == null) {
      return slo.reason() == null ? "not measured" : slo.reason();
    }
    return Figures.twoDecimals(slo.value()) + " " + slo.unit();
  }
}
