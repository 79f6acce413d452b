package io.weir.report.table;

import io.weir.report.model.CapCurves;
import io.weir.report.model.CapCurves.Curve;
import io.weir.report.model.CapCurves.Point;
import io.weir.report.model.CapCurves.Range;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.stress.result.RunFigure;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.SloResult;
import io.weir.stress.result.SweepAnswer;
import io.weir.stress.result.SweepPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The caps of a run: how long the merge took, and how fast reopens were; in a sweep also the
 * verdict.
 */
public final class CapTable {

  private static final List<RunFigure> SHOWN =
      List.of(RunFigure.MERGE_SECONDS, RunFigure.REOPEN_P99, RunFigure.DIRTY_PEAK);

  private CapTable() {}

  public static Table of(RunResult run, CapCurves caps) {
    List<SweepPoint> swept = run.sweep() == null ? List.of() : run.sweep().points();
    List<SloResult> others = others(swept);
    List<Column> columns = new ArrayList<>(List.of(new Column("arm", "")));
    if (run.sweep() != null) {
      columns.addAll(List.of(new Column("verdict", ""), new Column("tried", "")));
    }
    columns.addAll(
        List.of(
            new Column("rounds", ""),
            new Column("merge", "s"),
            new Column("longer", "times"),
            new Column("reopen p99", "ms"),
            new Column("range", "ms"),
            new Column("peak dirty", "MB")));
    others.forEach(
        slo ->
            columns.add(
                new Column(
                    slo.slo().replaceFirst("\\s*[<>].*", ""),
                    slo.unit().equals("x") ? "x uncapped" : slo.unit())));
    List<Row> rows = new ArrayList<>();
    for (Curve curve : caps.curves()) {
      boolean first = !rows.isEmpty();
      for (Point point : curve.points()) {
        rows.add(new Row(first, cells(run, curve, point, swept, others)));
        first = false;
      }
    }
    return new Table(
        "What each cap costs, and what readers feel: medians of rounds",
        columns,
        run.sweep() == null ? 1 : 2,
        rows);
  }

  private static List<String> cells(
      RunResult run, Curve curve, Point point, List<SweepPoint> swept, List<SloResult> others) {
    List<String> cells = new ArrayList<>(List.of(point.arm()));
    int tried =
        IntStream.range(0, swept.size())
            .filter(i -> swept.get(i).arm().equals(point.arm()))
            .findFirst()
            .orElse(-1);
    if (run.sweep() != null) {
      cells.add(verdict(run, swept.get(tried)));
      cells.add(Integer.toString(tried + 1));
    }
    cells.add(Integer.toString(point.rounds()));
    cells.add(median(point.mergeSeconds()));
    Range free = curve.points().get(0).mergeSeconds();
    boolean comparable =
        curve.points().get(0).cap().equals(CapCurves.NO_CAP)
            && free != null
            && free.median() > 0
            && point.mergeSeconds() != null;
    cells.add(
        comparable ? Figures.twoDecimals(point.mergeSeconds().median() / free.median()) : null);
    cells.add(median(point.reopenP99Millis()));
    cells.add(range(point.reopenP99Millis()));
    cells.add(median(point.dirtyPeakMegabytes()));
    for (SloResult other : others) {
      Double value =
          swept.get(tried).slos().stream()
              .filter(slo -> slo.slo().equals(other.slo()))
              .map(SloResult::value)
              .filter(v -> v != null)
              .findFirst()
              .orElse(null);
      cells.add(value == null ? null : Figures.twoDecimals(value));
    }
    return cells;
  }

  private static String verdict(RunResult run, SweepPoint point) {
    boolean answer =
        run.sweep().answers().stream()
            .anyMatch(
                a ->
                    a.status() == SweepAnswer.Status.FOUND
                        && a.kind().equals(point.kind())
                        && point.arm().equals(a.arm()));
    String word =
        switch (point.verdict()) {
          case MET -> answer ? "the answer" : "met";
          case MISSED -> "missed";
          case FAILED -> "failed";
          case OPEN -> "not finished";
        };
    boolean lifted = point.liftedRounds() != null && point.liftedRounds() > 0;
    return lifted ? word + ", cap lifted" : word;
  }

  /** The objectives that no other column shows. */
  private static List<SloResult> others(List<SweepPoint> swept) {
    return swept.isEmpty()
        ? List.of()
        : swept.get(0).slos().stream()
            .filter(slo -> SHOWN.stream().noneMatch(figure -> CapCurves.isFor(slo, figure)))
            .toList();
  }

  private static String median(Range range) {
    return range == null ? null : Figures.oneDecimal(range.median());
  }

  private static String range(Range range) {
    return range == null
        ? null
        : Figures.oneDecimal(range.least()) + " to " + Figures.oneDecimal(range.most());
  }
}
