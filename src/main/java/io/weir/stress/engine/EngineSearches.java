package io.weir.stress.engine;

import io.weir.stress.arm.load.Searches;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.result.SearchHits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * One search as an application would run it: the ten best documents for a query, with their source.
 * The n-th search that begins runs the n-th query; the first query follows the last.
 *
 * <p><b>Threads:</b> any.
 */
final class EngineSearches implements Searches {

  private static final int TOP = 10;

  private final EngineIndex index;
  private final List<SearchQuery> queries;
  private final AtomicLong next = new AtomicLong();
  private final LongAdder measured = new LongAdder();
  private final LongAdder withoutHits = new LongAdder();

  EngineSearches(EngineIndex index, List<SearchQuery> queries) {
    this.index = index;
    this.queries = queries;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException, InterruptedException {
    SearchQuery query = queries.get((int) (next.getAndIncrement() % queries.size()));
    int hits = index.search(query, TOP);
    if (dueNanos >= 0) { // else it belongs to the warm-up
      measured.increment();
      if (hits == 0) {
        withoutHits.increment();
      }
    }
  }

  @Override
  public boolean isEmpty() {
    return queries.isEmpty();
  }

  @Override
  public SearchHits hits() {
    return new SearchHits(measured.sum(), withoutHits.sum());
  }

  /** A query in the language of OpenSearch and Elasticsearch. */
  static Map<String, Object> json(SearchQuery query) {
    String occur = query.operator() == SearchQuery.Operator.AND ? "must" : "should";
    return Map.of("bool", Map.of(occur, terms(query.terms()), "must_not", terms(query.without())));
  }

  private static List<Map<String, Object>> terms(List<String> terms) {
    return terms.stream()
        .map(term -> Map.<String, Object>of("term", Map.of(RestIndex.BODY, term)))
        .toList();
  }
}
