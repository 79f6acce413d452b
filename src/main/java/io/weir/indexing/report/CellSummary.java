package io.weir.indexing.report;

import io.weir.indexing.result.CellKey;
import io.weir.indexing.result.CellResult;
import io.weir.indexing.result.IndexingResult;
import io.weir.indexing.result.IndexingWindow;
import io.weir.indexing.result.MeasuredCell;
import io.weir.indexing.result.SteadyWindow;
import io.weir.report.compare.ConfidenceInterval;
import io.weir.stress.result.ArmStatus;
import java.util.ArrayList;
import java.util.Arrays;
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
        : Optional.of(median(values.stream().mapToDouble(value -> value).toArray()));
  }

  /** The median over rounds. */
  double median(ToDoubleFunction<MeasuredCell> figure) {
    return median(rounds.stream().mapToDouble(figure).toArray());
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
   * The 95 % interval of the steady rate: over rounds when there are enough of them, else of the
   * parts of the one window, or of the round whose interval is widest.
   */
  ConfidenceInterval interval() {
    if (rounds.size() >= ConfidenceInterval.LEAST_VALUES) {
      return ConfidenceInterval.ofMean(
          rounds.stream()
              .mapToDouble(cell -> cell.steady().orElseThrow().figures().gigabytesPerHour())
              .toArray());
    }
    return rounds.stream()
        .map(cell -> cell.steady().orElseThrow())
        .max(Comparator.comparingDouble(window -> window.high() - window.low()))
        .map(window -> new ConfidenceInterval(window.low(), window.high()))
        .orElseThrow();
  }

  /** Whether the interval is one over rounds. */
  boolean isIntervalOfRounds() {
    return rounds.size() >= ConfidenceInterval.LEAST_VALUES;
  }

  /** The worst verdict of its rounds. */
  SteadyWindow.Verdict verdict() {
    return rounds.stream()
        .map(cell -> cell.steady().orElseThrow().verdict())
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
