package io.weir.indexing.report;

import io.weir.indexing.result.CellKey;
import io.weir.indexing.result.CellResult;
import io.weir.indexing.result.IndexingResult;
import io.weir.indexing.result.IndexingWindow;
import io.weir.indexing.result.MeasuredCell;
import io.weir.indexing.result.SteadyWindow;
import io.weir.report.compare.ConfidenceInterval;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunFigure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of one cell that ran to their end and have a steady window, together.
 *
 * @param rounds at least one
 */
record CellSummary(CellKey cell, List<MeasuredCell> rounds) {

  /** Each cell with figures, in the order of the matrix. */
  static List<CellSummary> of(IndexingResult run) {
    Map<CellKey, List<MeasuredCell>> rounds = new LinkedHashMap<>();
    CellResult.measured(run.cells())
        .filter(cell -> cell.status() == ArmStatus.DONE && cell.steady().isPresent())
        .forEach(cell -> rounds.computeIfAbsent(cell.cell(), key -> new ArrayList<>()).add(cell));
    return rounds.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(keys(run)))
        .map(entry -> new CellSummary(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** The order of the matrix: arm by arm, then by threads and by buffer. */
  static Comparator<CellResult> order(IndexingResult run) {
    return Comparator.comparing(CellResult::cell, keys(run));
  }

  private static Comparator<CellKey> keys(IndexingResult run) {
    List<String> arms = run.cells().stream().map(cell -> cell.cell().arm()).distinct().toList();
    return Comparator.comparingInt((CellKey cell) -> arms.indexOf(cell.arm()))
        .thenComparingInt(CellKey::threads)
        .thenComparingLong(CellKey::ramBufferBytes);
  }

  /** The median over rounds of a figure of the steady window. */
  double steady(ToDoubleFunction<IndexingWindow> figure) {
    return median(cell -> figure.applyAsDouble(cell.steady().orElseThrow().figures()));
  }

  /** The median over rounds of a figure of the whole cell. */
  double whole(ToDoubleFunction<IndexingWindow> figure) {
    return median(cell -> figure.applyAsDouble(cell.whole()));
  }

  /** Likewise of a figure that not every window has; empty unless every round has it. */
  Optional<Double> ifEach(Function<IndexingWindow, Optional<Double>> figure) {
    List<Double> values =
        rounds.stream()
            .flatMap(cell -> figure.apply(cell.steady().orElseThrow().figures()).stream())
            .toList();
    return values.size() < rounds.size()
        ? Optional.empty()
        : Optional.of(RunFigure.median(values.stream().mapToDouble(value -> value).toArray()));
  }

  /** The median over rounds. */
  double median(ToDoubleFunction<MeasuredCell> figure) {
    return RunFigure.median(rounds.stream().mapToDouble(figure).toArray());
  }

  /** How many times as fast as the cell its documents alone come, at the least. */
  double sourceFactor() {
    return rounds.stream()
        .mapToDouble(
            cell ->
                cell.source().gigabytesPerHour()
                    / cell.steady().orElseThrow().figures().gigabytesPerHour())
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
                  .mapToDouble(cell -> cell.steady().orElseThrow().figures().gigabytesPerHour())
                  .toArray()));
    }
    List<ConfidenceInterval> windows =
        rounds.stream().flatMap(cell -> cell.steady().orElseThrow().interval().stream()).toList();
    return windows.size() < rounds.size()
        ? Optional.empty()
        : windows.stream()
            .reduce(
                (a, b) ->
                    new ConfidenceInterval(
                        Math.min(a.low(), b.low()), Math.max(a.high(), b.high())));
  }

  /** Whether the interval is one over rounds. */
  boolean isIntervalOfRounds() {
    return rounds.size() >= ConfidenceInterval.LEAST_VALUES;
  }

  /** Whether its figure is one of steady state in each round. */
  boolean isSteady() {
    return verdict() == SteadyWindow.Verdict.STEADY;
  }

  /** The worst verdict of its rounds. */
  SteadyWindow.Verdict verdict() {
    return rounds.stream()
        .map(cell -> cell.steady().orElseThrow().verdict())
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }
}
