package io.weir.report.compare;

import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.RunFigure;
import java.util.Collection;

/**
 * The slow end of the reopens of some arms, or of the times until writes were visible, as far as it
 * can be known: p99 or p90 where each arm had enough operations for it (see {@link
 * LatencySummary}), else the longest.
 *
 * @param figure by which arms are described and compared
 * @param label as a sentence names it in its middle
 * @param count the operations of the arm that has the fewest
 */
public record ReopenTail(RunFigure figure, String label, long count) {

  /** Of the reopens of all arms; each counts over its rounds. */
  public static ReopenTail of(Collection<Part> parts) {
    long least = RunFigure.REOPEN_MAX.operations(parts);
    if (RunFigure.REOPEN_P99.isKnown(parts)) {
      return new ReopenTail(RunFigure.REOPEN_P99, "reopen p99", least);
    }
    return RunFigure.REOPEN_P90.isKnown(parts)
        ? new ReopenTail(RunFigure.REOPEN_P90, "reopen p90", least)
        : new ReopenTail(RunFigure.REOPEN_MAX, "longest reopen", least);
  }

  /** Likewise of their writes, until what these wrote could be found. */
  public static ReopenTail untilVisible(Collection<Part> parts) {
    long least = RunFigure.VISIBLE_MAX.operations(parts);
    if (RunFigure.VISIBLE_P99.isKnown(parts)) {
      return new ReopenTail(RunFigure.VISIBLE_P99, "visible p99", least);
    }
    return RunFigure.VISIBLE_P90.isKnown(parts)
        ? new ReopenTail(RunFigure.VISIBLE_P90, "visible p90", least)
        : new ReopenTail(RunFigure.VISIBLE_MAX, "longest until visible", least);
  }
}
