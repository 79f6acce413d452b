package io.weir.stress.arm.load;

import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.queries.SearchQuery;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The queries of an arm, and whether searches for them found anything. The n-th search that begins,
 * in the warm-up or later, gets the n-th query; the first query follows the last.
 *
 * <p><b>Threads:</b> any.
 */
public final class QueryTurns {

  private final List<SearchQuery> queries;
  private final Timeline timeline;
  private final AtomicLong next = new AtomicLong();
  private final LongAdder measured = new LongAdder();
  private final LongAdder withoutHits = new LongAdder();

  /** For searches that have not begun. */
  public QueryTurns(List<SearchQuery> queries, Timeline timeline) {
    this.queries = queries;
    this.timeline = timeline;
  }

  /** Whether there is nothing to search for. */
  public boolean isEmpty() {
    return queries.isEmpty();
  }

  /** The query of a search that begins. */
  public SearchQuery next() {
    return queries.get((int) (next.getAndIncrement() % queries.size()));
  }

  /** Counts a search that has ended, unless it belongs to the warm-up. */
  public void ended(long dueNanos, int hits) {
    if (timeline.phaseOf(dueNanos) == Phase.WARMUP) {
      return;
    }
    measured.increment();
    if (hits == 0) {
      withoutHits.increment();
    }
  }

  /** What was found so far. */
  public Values hits() {
    return Values.builder()
        .put(ArmFigures.SEARCHES, measured.sum())
        .put(ArmFigures.SEARCHES_WITHOUT_HITS, withoutHits.sum())
        .build();
  }
}
