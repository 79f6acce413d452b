package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The state of the page cache in each arm, and the bytes that the arm read from storage. */
public final class CacheTable {

  private CacheTable() {}

  /** Empty when it was not measured. */
  public static Optional<Table> of(Run run) {
    List<Row> rows = new ArrayList<>();
    for (Part arm : run.parts()) {
      arm.get(ArmFigures.CACHE_ASKED).ifPresent(asked -> rows.add(row(arm, asked)));
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
    boolean rounds = run.parts().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(Part arm, String asked) {
    Cells cells =
        Cells.of(arm.name(), Integer.toString(arm.round()), asked)
            .add(arm.get(ArmFigures.RESIDENT_SHARE).map(share -> Figures.oneDecimal(100 * share)))
            .add(arm.get(ArmFigures.WARM_UP_READ_BYTES).map(Figures::megabytes));
    for (Phase phase : Phase.MEASURED) {
      cells.add(arm.get(ArmFigures.READ_BYTES, phase).map(Figures::megabytes));
    }
    return cells
        .add(arm.get(ArmFigures.MAJOR_FAULTS, Phase.DURING).map(String::valueOf))
        .row(false);
  }
}
