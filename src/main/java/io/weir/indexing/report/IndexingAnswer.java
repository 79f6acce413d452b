package io.weir.indexing.report;

import io.weir.indexing.plan.CellKey;
import io.weir.report.compare.ConfidenceInterval;
import io.weir.report.words.Figures;
import io.weir.run.CellFigures;
import io.weir.run.Run;
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
 * buffer or the fewest threads. Two rates differ when their intervals over rounds do not overlap.
 * Intervals within single runs say nothing about what differs between runs.
 */
public final class IndexingAnswer {

  private IndexingAnswer() {}

  /** The sentences, the most important first; empty when no cell has figures. */
  public static List<String> of(Run run) {
    List<CellSummary> cells = CellSummary.comparable(run);
    List<String> sentences = new ArrayList<>();
    if (!cells.isEmpty()) {
      sentences.add(
          cells.stream()
              .filter(CellSummary::isSteady)
              .max(Comparator.comparingDouble(cell -> cell.steady(CellFigures.RATE)))
              .map(best -> fastest(best, cells))
              .orElse("No cell became steady."));
    }
    sentences.addAll(buffers(cells));
    sentences.addAll(arms(cells));
    List<String> unsteady = unsteady(cells);
    if (!unsteady.isEmpty()) {
      sentences.add("Not steady: " + String.join("; ", unsteady) + ".");
    }
    cells.stream()
        .mapToDouble(CellSummary::sourceFactor)
        .min()
        .ifPresent(
            factor ->
                sentences.add(
                    "The source alone delivers documents at least %s times as fast as any cell indexed them."
                        .formatted(Figures.brief(factor))));
    return sentences;
  }

  /** A cell that is not steady may show a higher rate; then the sentence says so. */
  private static String fastest(CellSummary best, List<CellSummary> cells) {
    String others =
        cells.stream()
            .filter(cell -> cell.steady(CellFigures.RATE) > best.steady(CellFigures.RATE))
            .max(Comparator.comparingDouble(cell -> cell.steady(CellFigures.RATE)))
            .map(
                cell ->
                    " The %s of %s is not comparable: %s."
                        .formatted(
                            Figures.threeDigits(cell.steady(CellFigures.RATE)),
                            cell.cell().title(),
                            cell.verdict().label()))
            .orElse("");
    return "Fastest at steady state: %s, with %s GB of text an hour%s and %s documents a second.%s"
        .formatted(
            best.cell().title(),
            Figures.threeDigits(best.steady(CellFigures.RATE)),
            best.interval()
                .map(rate -> " (" + Figures.range(rate.low(), rate.high()) + ")")
                .orElse(""),
            Math.round(best.steady(CellFigures.DOCUMENTS_PER_SECOND)),
            others);
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
                "%s: a buffer of %s reaches %s %% of the rate of %s%s (%s), and %s %% with start and end included."
                    .formatted(
                        name,
                        large.cell().ramBufferText(),
                        ratio(small, large, true),
                        small.cell().ramBufferText(),
                        areSteady(small, large) ? " at steady state" : "",
                        difference(
                            small,
                            small.cell().ramBufferText(),
                            large,
                            large.cell().ramBufferText()),
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
                        "%s has %s %% of the %srate of %s (%s)."
                            .formatted(
                                key.title(),
                                ratio(base, cell, true),
                                areSteady(base, cell) ? "steady " : "",
                                same.arm(),
                                difference(base, same.arm(), cell, key.arm()))));
      }
    }
    return sentences;
  }

  private static List<String> unsteady(List<CellSummary> cells) {
    return cells.stream()
        .filter(cell -> !cell.isSteady())
        .map(cell -> cell.cell().title() + " (" + cell.verdict().label() + ")")
        .toList();
  }

  private static String ratio(CellSummary base, CellSummary cell, boolean steady) {
    double below = steady ? base.steady(CellFigures.RATE) : base.whole(CellFigures.RATE);
    double above = steady ? cell.steady(CellFigures.RATE) : cell.whole(CellFigures.RATE);
    return below > 0 ? Long.toString(Math.round(100 * above / below)) : "-";
  }

  private static boolean areSteady(CellSummary base, CellSummary cell) {
    return base.isSteady() && cell.isSteady();
  }

  /** What the difference is worth; with both verdicts unless both are steady. */
  private static String difference(
      CellSummary base, String baseName, CellSummary cell, String name) {
    return areSteady(base, cell)
        ? difference(base, cell)
        : "%s; %s: %s; %s: %s"
            .formatted(
                difference(base, cell),
                name,
                cell.verdict().label(),
                baseName,
                base.verdict().label());
  }

  private static String difference(CellSummary base, CellSummary cell) {
    if (!base.isIntervalOfRounds() || !cell.isIntervalOfRounds()) {
      return "noise between runs unknown: fewer than %d rounds"
          .formatted(ConfidenceInterval.LEAST_VALUES);
    }
    ConfidenceInterval first = base.interval().orElseThrow();
    ConfidenceInterval second = cell.interval().orElseThrow();
    return second.low() > first.high() || second.high() < first.low()
        ? "beyond noise"
        : "within noise";
  }
}
