package io.weir.stress.engine;

import io.weir.run.Values;
import io.weir.stress.arm.load.QueryTurns;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.queries.SearchQuery;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * One search as an application would run it: the ten best documents for a query, with their source.
 *
 * <p><b>Threads:</b> any.
 */
final class EngineSearches implements Searches {

  private static final int TOP = 10;

  private final EngineIndex index;
  private final QueryTurns queries;

  EngineSearches(EngineIndex index, QueryTurns queries) {
    this.index = index;
    this.queries = queries;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException, InterruptedException {
    queries.ended(dueNanos, index.search(queries.next(), TOP));
  }

  @Override
  public boolean isEmpty() {
    return queries.isEmpty();
  }

  @Override
  public Values hits() {
    return queries.hits();
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
