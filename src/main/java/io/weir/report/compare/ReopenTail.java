package io.weir.report.compare;

import io.weir.run.ArmFigures;
import io.weir.run.FigureBy;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFigure;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The slow end of the reopens of some arms, or of the times until writes were visible, as far as it
 * can be known. One per cent of 1,000 operations are ten; of a hundred it is one, and the "p99" is
 * the longest by another name. So p99 takes 1,000 operations of each arm, over all rounds; p90 a
 * hundred. Of fewer there is the longest.
 *
 * @param figure by which arms are described and compared
 * @param label as a sentence names it in its middle
 * @param count the operations of the arm that has the fewest
 */
public record ReopenTail(RunFigure figure, String label, long count) {

  private static final long LEAST_FOR_P99 = 1000;
  private static final long LEAST_FOR_P90 = 100;

  /** Of the reopens of all arms of {@code parts}; each counts over its rounds. */
  public static ReopenTail of(Collection<Part> parts) {
    long least = least(parts, RunFigure.REOPEN_MAX, ArmFigures.REOPEN);
    if (least >= LEAST_FOR_P99) {
      return new ReopenTail(RunFigure.REOPEN_P99, "reopen p99", least);
    }
    return least >= LEAST_FOR_P90
        ? new ReopenTail(RunFigure.REOPEN_P90, "reopen p90", least)
        : new ReopenTail(RunFigure.REOPEN_MAX, "longest reopen", least);
  }

  /** Likewise of their writes, until what these wrote could be found. */
  public static ReopenTail untilVisible(Collection<Part> parts) {
    long least = least(parts, RunFigure.VISIBLE_MAX, ArmFigures.VISIBLE);
    if (least >= LEAST_FOR_P99) {
      return new ReopenTail(RunFigure.VISIBLE_P99, "visible p99", least);
    }
    return least >= LEAST_FOR_P90
        ? new ReopenTail(RunFigure.VISIBLE_P90, "visible p90", least)
        : new ReopenTail(RunFigure.VISIBLE_MAX, "longest until visible", least);
  }

  /** The operations of the arm that has the fewest. */
  private static long least(
      Collection<Part> parts, RunFigure any, FigureBy<Phase, LatencySummary> latencies) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Part arm : parts) {
      if (any.of(arm).isPresent()) {
        long count = arm.get(latencies, Phase.DURING).map(LatencySummary::count).orElse(0L);
        counts.merge(arm.name(), count, Long::sum);
      }
    }
    return counts.values().stream().mapToLong(Long::longValue).min().orElse(0);
  }
}
