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
 * Searches for the queries of an arm, and whether they found anything. The n-th search that begins,
 * in the warm-up or later, gets the n-th query; the first query follows the last.
 *
 * <p><b>Threads:</b> any.
 */
public final class Searches implements OpenLoop.Operation {

  /** As many best documents as a page of results shows. */
  public static final int TOP = 10;

  /** One search as an application would run it: the best documents, and what they store. */
  @FunctionalInterface
  public interface Search {

    /** Returns how many of the {@value #TOP} best documents there are. */
    int search(SearchQuery query, long dueNanos) throws Exception;
  }

  private final List<SearchQuery> queries;
  private final Timeline timeline;
  private final Search search;
  private final AtomicLong next = new AtomicLong();
  private final LongAdder measured = new LongAdder();
  private final LongAdder withoutHits = new LongAdder();

  /** Searches that have not begun. */
  public Searches(List<SearchQuery> queries, Timeline timeline, Search search) {
    this.queries = queries;
    this.timeline = timeline;
    this.search = search;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws Exception {
    SearchQuery query = queries.get((int) (next.getAndIncrement() % queries.size()));
    int hits = search.search(query, dueNanos);
    if (timeline.phaseOf(dueNanos) == Phase.WARMUP) {
      return;
    }
    measured.increment();
    if (hits == 0) {
      withoutHits.increment();
    }
  }

  /** Whether there is nothing to search for. */
  boolean isEmpty() {
    return queries.isEmpty();
  }

  /** What those after the warm-up found so far. */
  Values hits() {
    return Values.builder()
        .put(ArmFigures.SEARCHES, measured.sum())
        .put(ArmFigures.SEARCHES_WITHOUT_HITS, withoutHits.sum())
        .build();
  }
}
