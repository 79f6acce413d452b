package io.weir.indexing.report;

import io.weir.figure.Figure;
import io.weir.indexing.plan.CellKey;
import io.weir.report.compare.ChangedMachine;
import io.weir.report.compare.ConfidenceInterval;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Verdict;
import io.weir.run.CellFigures.Window;
import io.weir.run.FigureBy;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of one cell that ran to their end and have a steady window, together.
 *
 * @param rounds at least one
 */
record CellSummary(CellKey cell, List<Part> rounds) {

  /** Each cell with figures, in the order of the matrix. */
  static List<CellSummary> of(Run run) {
    return of(run, run.parts());
  }

  /** Likewise, of those rounds that may be compared with each other. */
  static List<CellSummary> comparable(Run run) {
    return of(run, ChangedMachine.without(ChangedMachine.of(run.parts()), run.parts()));
  }

  private static List<CellSummary> of(Run run, List<Part> parts) {
    Map<CellKey, List<Part>> rounds = new LinkedHashMap<>();
    parts.stream()
        .filter(cell -> cell.status() == Status.DONE && cell.get(CellFigures.VERDICT).isPresent())
        .forEach(
            cell -> rounds.computeIfAbsent(CellKey.of(cell), key -> new ArrayList<>()).add(cell));
    return rounds.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(keys(run)))
        .map(entry -> new CellSummary(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** The order of the matrix: arm by arm, then by threads and by buffer. */
  static Comparator<Part> order(Run run) {
    return Comparator.comparing(CellKey::of, keys(run));
  }

  private static Comparator<CellKey> keys(Run run) {
    List<String> arms =
        run.parts().stream().map(cell -> cell.require(CellFigures.ARM)).distinct().toList();
    return Comparator.comparingInt((CellKey cell) -> arms.indexOf(cell.arm()))
        .thenComparingInt(CellKey::threads)
        .thenComparingLong(CellKey::ramBufferBytes);
  }

  /** The median over rounds of a figure of the steady window. */
  double steady(FigureBy<Window, ? extends Number> figure) {
    return median(figure.of(Window.STEADY));
  }

  /** The median over rounds of a figure of the whole cell. */
  double whole(FigureBy<Window, ? extends Number> figure) {
    return median(figure.of(Window.WHOLE));
  }

  /** Likewise of a figure that not every window has; empty unless every round has it. */
  Optional<Double> ifEach(FigureBy<Window, Double> figure) {
    List<Double> values =
        rounds.stream().flatMap(cell -> cell.get(figure, Window.STEADY).stream()).toList();
    return values.size() < rounds.size()
        ? Optional.empty()
        : Optional.of(RunFigure.median(values.stream().mapToDouble(value -> value).toArray()));
  }

  /** The median over rounds. */
  double median(Figure<? extends Number> figure) {
    return median(cell -> cell.require(figure).doubleValue());
  }

  /** The median over rounds of how long a window was. */
  double seconds(Window window) {
    return median(
        cell -> cell.require(CellFigures.TO, window) - cell.require(CellFigures.FROM, window));
  }

  private double median(ToDoubleFunction<Part> figure) {
    return RunFigure.median(rounds.stream().mapToDouble(figure).toArray());
  }

  /** How many times as fast as the cell its documents alone come, at the least. */
  double sourceFactor() {
    return rounds.stream()
        .mapToDouble(
            cell ->
                cell.require(CellFigures.SOURCE_RATE)
                    / cell.require(CellFigures.RATE, Window.STEADY))
        .min()
        .orElseThrow();
  }

  /**
   * The 95 % interval of the steady rate: over rounds when there are enough of them, else from the
   * lowest to the highest end of the intervals of all windows. It is empty if one window has none.
   */
  Optional<ConfidenceInterval> interval() {
    if (isIntervalOfRounds()) {
      return Optional.of(
          ConfidenceInterval.ofMean(
              rounds.stream()
                  .mapToDouble(cell -> cell.require(CellFigures.RATE, Window.STEADY))
                  .toArray()));
    }
    List<ConfidenceInterval> windows =
        rounds.stream().flatMap(cell -> interval(cell).stream()).toList();
    return windows.size() < rounds.size()
        ? Optional.empty()
        : windows.stream()
            .reduce(
                (a, b) ->
                    new ConfidenceInterval(
                        Math.min(a.low(), b.low()), Math.max(a.high(), b.high())));
  }

  private static Optional<ConfidenceInterval> interval(Part cell) {
    return cell.get(CellFigures.INTERVAL_LOW)
        .map(low -> new ConfidenceInterval(low, cell.require(CellFigures.INTERVAL_HIGH)));
  }

  /** Whether the interval is one over rounds. */
  boolean isIntervalOfRounds() {
    return rounds.size() >= ConfidenceInterval.LEAST_VALUES;
  }

  /** Whether its figure is one of steady state in each round. */
  boolean isSteady() {
    return verdict() == Verdict.STEADY;
  }

  /** The worst verdict of its rounds. */
  Verdict verdict() {
    return rounds.stream()
        .map(cell -> cell.require(CellFigures.VERDICT))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }
}
