package io.weir.indexing.report;

import io.weir.indexing.result.CellKey;
import io.weir.indexing.result.IndexingResult;
import io.weir.indexing.result.IndexingWindow;
import io.weir.indexing.result.SteadyWindow;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run of {@code weir index} found, in sentences.
 *
 * <p>It says what larger buffers and more threads did, each beside the same cell with the smallest
 * buffer or the fewest threads. Two rates differ when their intervals do not overlap.
 */
public final class IndexingAnswer {

  private IndexingAnswer() {}

  /** The sentences, the most important first; empty when no cell has figures. */
  public static List<String> of(IndexingResult run) {
    List<CellSummary> cells = CellSummary.of(run);
    List<String> sentences = new ArrayList<>();
    cells.stream()
        .max(Comparator.comparingDouble(cell -> cell.steady(IndexingWindow::gigabytesPerHour)))
        .ifPresent(
            best ->
                sentences.add(
                    "Fastest at steady state: %s, with %s GB of text an hour (%s) and %s documents a second."
                        .formatted(
                            best.cell().title(),
                            Figures.threeDigits(best.steady(IndexingWindow::gigabytesPerHour)),
                            interval(best),
                            Math.round(best.steady(IndexingWindow::documentsPerSecond)))));
    sentences.addAll(buffers(cells));
    sentences.addAll(arms(cells));
    if (IndexingTables.anyUnsteady(cells)) {
      sentences.add("Not steady: " + String.join("; ", unsteady(cells)) + ".");
    }
    cells.stream()
        .mapToDouble(CellSummary::sourceFactor)
        .min()
        .ifPresent(
            factor ->
                sentences.add(
                    "The documents alone come at least %s times as fast as any cell indexed them."
                        .formatted(Figures.brief(factor))));
    return sentences;
  }

  /** The suspicion of 2011: a larger buffer looks slow because start and end are in the figure. */
  private static List<String> buffers(List<CellSummary> cells) {
    Map<String, List<CellSummary>> groups = new LinkedHashMap<>();
    for (CellSummary cell : cells) {
      CellKey key = cell.cell();
      groups
          .computeIfAbsent(key.arm() + ", " + key.threadsText(), name -> new ArrayList<>())
          .add(cell);
    }
    List<String> sentences = new ArrayList<>();
    groups.forEach(
        (name, group) -> {
          CellSummary small = group.getFirst();
          CellSummary large = group.getLast();
          if (group.size() > 1) {
            sentences.add(
                "%s: a buffer of %s has %s %% of the rate of %s at steady state (%s), and %s %% of it with start and end."
                    .formatted(
                        name,
                        large.cell().ramBufferText(),
                        ratio(small, large, true),
                        small.cell().ramBufferText(),
                        difference(small, large),
                        ratio(small, large, false)));
          }
        });
    return sentences;
  }

  private static List<String> arms(List<CellSummary> cells) {
    List<String> sentences = new ArrayList<>();
    Optional<String> first = cells.stream().map(cell -> cell.cell().arm()).findFirst();
    for (CellSummary cell : cells) {
      CellKey key = cell.cell();
      if (first.filter(arm -> !arm.equals(key.arm())).isPresent()) {
        CellKey same = new CellKey(first.get(), key.threads(), key.ramBufferBytes());
        cells.stream()
            .filter(base -> base.cell().equals(same))
            .findFirst()
            .ifPresent(
                base ->
                    sentences.add(
                        "%s has %s %% of the steady rate of %s (%s)."
                            .formatted(
                                key.title(),
                                ratio(base, cell, true),
                                same.arm(),
                                difference(base, cell))));
      }
    }
    return sentences;
  }

  private static List<String> unsteady(List<CellSummary> cells) {
    return cells.stream()
        .filter(cell -> cell.verdict() != SteadyWindow.Verdict.STEADY)
        .map(cell -> cell.cell().title() + " (" + cell.verdict().label() + ")")
        .toList();
  }

  private static String ratio(CellSummary base, CellSummary cell, boolean steady) {
    double below =
        steady
            ? base.steady(IndexingWindow::gigabytesPerHour)
            : base.whole(IndexingWindow::gigabytesPerHour);
    double above =
        steady
            ? cell.steady(IndexingWindow::gigabytesPerHour)
            : cell.whole(IndexingWindow::gigabytesPerHour);
    return below > 0 ? Long.toString(Math.round(100 * above / below)) : "-";
  }

  private static String difference(CellSummary base, CellSummary cell) {
    boolean apart =
        cell.interval().low() > base.interval().high()
            || cell.interval().high() < base.interval().low();
    return apart ? "beyond noise" : "within noise";
  }

  private static String interval(CellSummary cell) {
    return Figures.range(cell.interval().low(), cell.interval().high());
  }
}
