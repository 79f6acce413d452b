package io.weir.report.table;

import static io.weir.report.words.Figures.oneDecimal;

import io.weir.figure.Figure;
import io.weir.merge.MergeKind;
import io.weir.run.FigureBy;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The merge of an arm, or the merges in the same window that reopens and commits waited for. */
record MergeRow(Part arm, boolean critical) {

  static Stream<MergeRow> of(Part arm) {
    boolean any = arm.get(MergeFigures.MERGES, MergeKind.CRITICAL).orElse(0L) > 0;
    return Stream.of(false, true)
        .filter(critical -> any || !critical)
        .map(critical -> new MergeRow(arm, critical));
  }

  /** A figure of the merge and the arm. */
  <T> Optional<T> ofMerge(Figure<T> figure) {
    return critical ? Optional.empty() : arm.get(figure);
  }

  <T> Optional<T> either(FigureBy<MergeKind, T> ofCritical, Figure<T> ofMerge) {
    return critical ? arm.get(ofCritical, MergeKind.CRITICAL) : arm.get(ofMerge);
  }

  Optional<String> kind() {
    return critical
        ? arm.get(MergeFigures.MERGES, MergeKind.CRITICAL).map(merges -> merges + " critical")
        : arm.get(MergeFigures.KIND);
  }

  /** Of critical merges, or of all others; nothing if there was none of it. */
  Optional<Double> counted(Map<MergeKind, Figure<? extends Number>> of) {
    double sum = 0;
    for (MergeKind kind : of.keySet()) {
      if (critical == (kind == MergeKind.CRITICAL)) {
        sum += arm.get(of.get(kind)).map(Number::doubleValue).orElse(0.0);
      }
    }
    return Optional.of(sum).filter(any -> any > 0);
  }

  Optional<String> took() {
    return ofMerge(MergeFigures.SECONDS)
        .map(seconds -> (arm.require(MergeFigures.ENDED) ? "" : "> ") + oneDecimal(seconds));
  }

  Optional<Double> megabytesPerSecond() {
    return ofMerge(MergeFigures.SECONDS)
        .filter(seconds -> seconds > 0)
        .flatMap(
            seconds -> arm.get(MergeFigures.BYTES_WRITTEN).map(bytes -> bytes / 1e6 / seconds));
  }
}
