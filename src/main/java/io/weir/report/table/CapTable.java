package io.weir.report.table;

import io.weir.report.model.CapCurves;
import io.weir.report.model.CapCurves.Curve;
import io.weir.report.model.CapCurves.Point;
import io.weir.report.model.CapCurves.Range;
import io.weir.report.table.Table.Column;
import io.weir.report.table.Table.Row;
import io.weir.report.words.Figures;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.SweepAnswer;
import io.weir.run.SweepPoint;
import io.weir.run.SweepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The caps of a run: how long the merge took, and how fast reopens were; in a sweep also the
 * verdict.
 */
public final class CapTable {

  private static final List<RunFigure> SHOWN =
      List.of(RunFigure.MERGE_SECONDS, RunFigure.REOPEN_P99, RunFigure.DIRTY_PEAK);

  private CapTable() {}

  public static Table of(Run run, CapCurves caps) {
    List<SweepPoint> swept = run.sweep().map(SweepResult::points).orElse(List.of());
    List<SloResult> others = others(swept);
    List<Column> columns = new ArrayList<>(List.of(new Column("arm", "")));
    if (run.sweep().isPresent()) {
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
        rows.add(cells(run, curve, point, others).row(first));
        first = false;
      }
    }
    return new Table(
        "What each cap costs, and what readers feel: medians of rounds",
        columns,
        run.sweep().isPresent() ? 2 : 1,
        rows);
  }

  private static Cells cells(Run run, Curve curve, Point point, List<SloResult> others) {
    Cells cells = Cells.of(point.arm());
    run.sweep().ifPresent(sweep -> addVerdict(cells, sweep, point));
    Range free = curve.points().get(0).mergeSeconds();
    boolean comparable =
        curve.points().get(0).cap().equals(CapCurves.NO_CAP)
            && free.isMeasured()
            && free.median() > 0
            && point.mergeSeconds().isMeasured();
    cells
        .add(Integer.toString(point.rounds()))
        .add(median(point.mergeSeconds()))
        .add(
            comparable
                ? Optional.of(Figures.twoDecimals(point.mergeSeconds().median() / free.median()))
                : Optional.empty())
        .add(median(point.reopenP99Millis()))
        .add(range(point.reopenP99Millis()))
        .add(median(point.dirtyPeakMegabytes()));
    for (SloResult other : others) {
      cells.add(
          run.sweep()
              .flatMap(
                  sweep ->
                      swept(sweep, point).slos().stream()
                          .filter(slo -> slo.slo().equals(other.slo()))
                          .findFirst())
              .flatMap(SloResult::value)
              .map(Figures::twoDecimals));
    }
    return cells;
  }

  private static SweepPoint swept(SweepResult sweep, Point point) {
    return sweep.points().stream()
        .filter(swept -> swept.arm().equals(point.arm()))
        .findFirst()
        .orElseThrow();
  }

  private static void addVerdict(Cells cells, SweepResult sweep, Point point) {
    SweepPoint swept = swept(sweep, point);
    cells.add(verdict(sweep, swept));
    cells.add(Integer.toString(sweep.points().indexOf(swept) + 1));
  }

  private static String verdict(SweepResult sweep, SweepPoint point) {
    boolean answer =
        sweep.answers().stream()
            .anyMatch(
                a ->
                    a.status() == SweepAnswer.Status.FOUND
                        && a.kind().equals(point.kind())
                        && a.arm().equals(Optional.of(point.arm())));
    String word =
        switch (point.verdict()) {
          case MET -> answer ? "the answer" : "met";
          case MISSED -> "missed";
          case FAILED -> "failed";
          case OPEN -> "not finished";
        };
    boolean lifted = point.liftedRounds().orElse(0) > 0;
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

  private static Optional<String> median(Range range) {
    return Optional.of(range).filter(Range::isMeasured).map(r -> Figures.oneDecimal(r.median()));
  }

  private static Optional<String> range(Range range) {
    return Optional.of(range)
        .filter(Range::isMeasured)
        .map(r -> Figures.oneDecimal(r.least()) + " to " + Figures.oneDecimal(r.most()));
  }
}
