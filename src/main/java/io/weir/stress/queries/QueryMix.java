package io.weir.stress.queries;

import io.weir.stress.queries.SearchQuery.Operator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * What {@code --queries mixed} is made of: so many in a hundred of each kind, exactly, in an order
 * that the seed shuffles.
 */
public final class QueryMix {

  /** The head of a file of such queries. */
  public static final String DESCRIPTION =
      "50 % single terms, 20 % AND (half of 2 terms, half of 3), 20 % OR (8 of 2, 6 of 3, 6 of 4),"
          + " 10 % a AND NOT b";

  /** How often another term is tried for one that the query has already. */
  private static final int MAX_TRIES = 100;

  private static final List<Share> SHARES =
      List.of(
          new Share(10, Operator.AND, 2, 0),
          new Share(10, Operator.AND, 3, 0),
          new Share(8, Operator.OR, 2, 0),
          new Share(6, Operator.OR, 3, 0),
          new Share(6, Operator.OR, 4, 0),
          new Share(10, Operator.AND, 1, 1));

  private static final Share SINGLE = new Share(50, Operator.AND, 1, 0);

  /** Queries of one kind. */
  private record Share(int percent, Operator operator, int terms, int without) {}

  private final List<String> pool;
  private int next;

  private QueryMix(List<String> pool) {
    this.pool = pool;
  }

  /**
   * {@code count} queries; none without terms.
   *
   * @param pool of terms in the order in which to take them, over again if need be. A query has no
   *     term twice, so of an index with fewer different terms than a query wants it has fewer.
   */
  public static List<SearchQuery> of(List<String> pool, int count, long seed) {
    if (pool.isEmpty()) {
      return List.of();
    }
    List<Share> order = new ArrayList<>();
    for (Share share : SHARES) {
      order.addAll(Collections.nCopies(count * share.percent() / 100, share));
    }
    order.addAll(Collections.nCopies(count - order.size(), SINGLE));
    Collections.shuffle(order, new Random(~seed)); // not as the terms are
    QueryMix mix = new QueryMix(pool);
    return order.stream().map(mix::query).toList();
  }

  private SearchQuery query(Share share) {
    List<String> terms = new ArrayList<>();
    int wanted = share.terms() + share.without();
    for (int tries = 0; terms.size() < wanted && tries < MAX_TRIES; tries++) {
      String term = pool.get(next);
      next = (next + 1) % pool.size();
      if (!terms.contains(term)) {
        terms.add(term);
      }
    }
    if (terms.size() == 1) {
      return SearchQuery.term(terms.get(0));
    }
    int found = Math.min(share.terms(), terms.size());
    return new SearchQuery(
        share.operator(), terms.subList(0, found), terms.subList(found, terms.size()));
  }
}
