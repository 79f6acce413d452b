package io.weir.report.table;

import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.DeadlineResult;
import io.weir.stress.result.DeadlineResult.Prediction;
import io.weir.stress.result.MeasuredArm;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the merge of each arm was done by its deadline, and whether that could be foreseen. */
public final class DeadlineTable {

  private DeadlineTable() {}

  /** Empty when no arm had a deadline. */
  public static Optional<Table> of(RunResult run) {
    List<Row> rows = new ArrayList<>();
    for (ArmResult arm : run.arms()) {
      arm.figures()
          .flatMap(MeasuredArm::merge)
          .ifPresent(
              merge -> merge.deadline().ifPresent(deadline -> rows.add(row(arm, merge, deadline))));
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
    boolean rounds = run.arms().stream().anyMatch(arm -> arm.round() > 1);
    return Optional.of(rounds ? table : table.without("round"));
  }

  private static Row row(ArmResult arm, MergeResult merge, DeadlineResult deadline) {
    Optional<Prediction> left = deadline.afterThird();
    return Cells.of(arm.name(), Integer.toString(arm.round()))
        .add(Figures.oneDecimal(deadline.seconds()))
        .add(Figures.oneDecimal(merge.seconds()))
        .add(Figures.oneDecimal(deadline.spareSeconds()))
        .add(left.map(Prediction::predictedSeconds).map(Figures::oneDecimal))
        .add(left.map(Prediction::actualSeconds).map(Figures::oneDecimal))
        .add(left.map(Prediction::offPercent).map(Figures::oneDecimal))
        .row(false);
  }
}
