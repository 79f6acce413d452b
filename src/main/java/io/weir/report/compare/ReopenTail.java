package io.weir.report.compare;

import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFigure;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The slow end of the reopens of some arms, as far as it can be known. One per cent of 1,000
 * reopens are ten; of a hundred it is one, and the "p99" is the longest by another name. So p99
 * takes 1,000 reopens of each arm, over all rounds; p90 a hundred. Of fewer there is the longest.
 *
 * @param figure by which arms are described and compared
 * @param label as a sentence names it in its middle
 * @param count the reopens of the arm that has the fewest
 */
public record ReopenTail(RunFigure figure, String label, long count) {

  private static final long LEAST_FOR_P99 = 1000;
  private static final long LEAST_FOR_P90 = 100;

  /** Of all arms of {@code parts}; each counts over its rounds. */
  public static ReopenTail of(Collection<Part> parts) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Part arm : parts) {
      if (RunFigure.REOPEN_MAX.of(arm).isPresent()) {
        long count = arm.get(ArmFigures.REOPEN, Phase.DURING).map(LatencySummary::count).orElse(0L);
        counts.merge(arm.name(), count, Long::sum);
      }
    }
    long least = counts.values().stream().mapToLong(Long::longValue).min().orElse(0);
    if (least >= LEAST_FOR_P99) {
      return new ReopenTail(RunFigure.REOPEN_P99, "reopen p99", least);
    }
    return least >= LEAST_FOR_P90
        ? new ReopenTail(RunFigure.REOPEN_P90, "reopen p90", least)
        : new ReopenTail(RunFigure.REOPEN_MAX, "longest reopen", least);
  }
}
