package io.weir.report.table;

import io.weir.report.compare.LatencyTail;
import io.weir.report.model.CapCurves;
import io.weir.report.model.CapCurves.Curve;
import io.weir.report.model.CapCurves.Point;
import io.weir.report.model.CapCurves.Range;
import io.weir.report.words.Figures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.SloResult;
import io.weir.run.Status;
import io.weir.run.SweepAnswer;
import io.weir.run.SweepPoint;
import io.weir.run.SweepResult;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;

/**
 * The caps of a run: how long the merge took, and how fast reopens were; in a sweep also the
 * verdict.
 */
public final class CapTable {

  private CapTable() {}

  private record Tried(Curve curve, Point point) {

    /** How many times as long as without a cap. */
    Optional<Double> longer() {
      Point first = curve.points().get(0);
      Range free = first.mergeSeconds();
      return first.cap().equals(CapCurves.NO_CAP) && free.isMeasured() && free.median() > 0
          ? median(point.mergeSeconds()).map(seconds -> seconds / free.median())
          : Optional.empty();
    }
  }

  public static Table of(Run run, CapCurves caps) {
    LatencyTail tail = LatencyTail.ofReopens(run.parts());
    Sheet<Tried> sheet =
        Sheet.<Tried>wide("What each cap costs, and what readers feel: medians of rounds")
            .groupedBy(Tried::curve)
            .word("arm", row -> row.point().arm());
    Optional<SweepResult> sweep = run.sweep();
    if (sweep.isPresent()) {
      List<SweepPoint> points = sweep.get().points();
      sheet =
          sheet
              .word("verdict", row -> verdict(sweep.get(), swept(points, row)))
              .text("tried", "", row -> Integer.toString(points.indexOf(swept(points, row)) + 1));
    }
    sheet =
        sheet
            .text("rounds", "", row -> Integer.toString(row.point().rounds()))
            .one("merge", "s", row -> median(row.point().mergeSeconds()))
            .two("longer", "times", Tried::longer)
            .count(
                "reopens",
                row -> Optional.of(tail.figure().operations(rounds(run, row), Phase.DURING)))
            .one(tail.label(), "ms", row -> tail.figure().median(rounds(run, row)))
            .cell("range", "ms", row -> range(tail.figure(), rounds(run, row)))
            .one("Dirty", "MB", row -> median(row.point().dirtyPeakMegabytes()));
    List<SweepPoint> points = sweep.map(SweepResult::points).orElse(List.of());
    for (SloResult other : others(points, tail)) {
      sheet =
          sheet.two(
              other.slo().replaceFirst("\\s*[<>].*", ""),
              other.unit().equals("x") ? "x uncapped" : other.unit(),
              row ->
                  swept(points, row).slos().stream()
                      .filter(slo -> slo.slo().equals(other.slo()))
                      .findFirst()
                      .flatMap(SloResult::value));
    }
    return sheet.table(
        caps.curves().stream()
            .flatMap(curve -> curve.points().stream().map(point -> new Tried(curve, point)))
            .toList());
  }

  private static SweepPoint swept(List<SweepPoint> points, Tried row) {
    return points.stream()
        .filter(swept -> swept.arm().equals(row.point().arm()))
        .findFirst()
        .orElseThrow();
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
    return lifted ? word + ", lifted" : word;
  }

  /**
   * The objectives that no other column shows. One for a p99 that is not known is in the table of
   * objectives alone.
   */
  private static List<SloResult> others(List<SweepPoint> swept, LatencyTail tail) {
    List<RunFigure> shown =
        List.of(RunFigure.MERGE_SECONDS, tail.figure(), RunFigure.REOPEN_P99, RunFigure.DIRTY_PEAK);
    return swept.isEmpty()
        ? List.of()
        : swept.get(0).slos().stream()
            .filter(slo -> shown.stream().noneMatch(figure -> CapCurves.isFor(slo, figure)))
            .toList();
  }

  private static Optional<Double> median(Range range) {
    return Optional.of(range).filter(Range::isMeasured).map(Range::median);
  }

  /** Those that ended well. */
  private static List<Part> rounds(Run run, Tried row) {
    return run.rounds(row.point().arm()).stream()
        .filter(round -> round.status() == Status.DONE)
        .toList();
  }

  private static Optional<String> range(RunFigure figure, List<Part> rounds) {
    DoubleSummaryStatistics all =
        rounds.stream()
            .flatMap(round -> figure.of(round).stream())
            .mapToDouble(Double::doubleValue)
            .summaryStatistics();
    return all.getCount() == 0
        ? Optional.empty()
        : Optional.of(Figures.oneDecimal(all.getMin()) + " to " + Figures.oneDecimal(all.getMax()));
  }
}
