package io.weir.report.compare;

import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFigure;
import java.util.Collection;

/**
 * The slow end of the reopens or searches of some arms, or of the times until writes were visible,
 * as far as it can be known: p99 or p90 where each arm had enough operations for it (see {@link
 * LatencySummary}), else the longest.
 *
 * @param figure by which arms are described and compared
 * @param label as a sentence names it in its middle
 * @param count the operations of the arm that has the fewest
 */
public record LatencyTail(RunFigure figure, String label, long count) {

  /** Of the reopens of all arms; each counts over its rounds. */
  public static LatencyTail ofReopens(Collection<Part> parts) {
    return of(
        parts,
        Phase.DURING,
        "reopen",
        RunFigure.REOPEN_P99,
        RunFigure.REOPEN_P90,
        new LatencyTail(RunFigure.REOPEN_MAX, "longest reopen", 0));
  }

  /** Of their writes, until what these wrote could be found. */
  public static LatencyTail untilVisible(Collection<Part> parts) {
    return of(
        parts,
        Phase.DURING,
        "visible",
        RunFigure.VISIBLE_P99,
        RunFigure.VISIBLE_P90,
        new LatencyTail(RunFigure.VISIBLE_MAX, "longest until visible", 0));
  }

  /** Of their searches in one phase. */
  public static LatencyTail ofSearches(Collection<Part> parts, Phase phase) {
    return of(
        parts,
        phase,
        "search",
        RunFigure.SEARCH_P99,
        RunFigure.SEARCH_P90,
        new LatencyTail(RunFigure.SEARCH_MAX, "longest search", 0));
  }

  private static LatencyTail of(
      Collection<Part> parts,
      Phase phase,
      String what,
      RunFigure p99,
      RunFigure p90,
      LatencyTail longest) {
    long count = longest.figure().operations(parts, phase);
    if (p99.isKnown(parts, phase)) {
      return new LatencyTail(p99, what + " p99", count);
    }
    return p90.isKnown(parts, phase)
        ? new LatencyTail(p90, what + " p90", count)
        : new LatencyTail(longest.figure(), longest.label(), count);
  }
}
