package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the merge of each arm was done by its deadline, and whether that could be foreseen. */
public final class DeadlineTable {

  private DeadlineTable() {}

  /** Empty when no arm had a deadline. */
  public static Optional<Table> of(Run run) {
    List<Row> rows = new ArrayList<>();
    for (Part arm : run.parts()) {
      arm.get(MergeFigures.DEADLINE).ifPresent(deadline -> rows.add(row(arm, deadline)));
    }
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    Table table =
        new Table(
            "Deadline of the merge; what was left after a third of it, as predicted and as it was",
            List.of(
                new Column("arm", ""),
                new Column("round", ""),
                new Column("deadline", "s"),
                new Column("took", "s"),
                new Column("spare", "s"),
                new Column("predicted", "s"),
                new Column("was", "s"),
                new Column("off by", "%")),
            1,
            rows);
    boolean rounds = run.parts().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(Part arm, double deadline) {
    return Cells.of(arm.name(), Integer.toString(arm.round()))
        .add(Figures.oneDecimal(deadline))
        .add(arm.get(MergeFigures.SECONDS).map(Figures::oneDecimal))
        .add(arm.get(MergeFigures.DEADLINE_SPARE).map(Figures::oneDecimal))
        .add(arm.get(MergeFigures.DEADLINE_PREDICTED).map(Figures::oneDecimal))
        .add(arm.get(MergeFigures.DEADLINE_ACTUAL).map(Figures::oneDecimal))
        .add(arm.get(MergeFigures.DEADLINE_OFF).map(Figures::oneDecimal))
        .row(false);
  }
}
