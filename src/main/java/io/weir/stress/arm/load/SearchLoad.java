package io.weir.stress.arm.load;

import io.weir.stress.index.IndexSchema;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.result.SearchHits;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TopDocs;

/**
 * One search as an application would run it: the ten best documents for a query, and their stored
 * fields. The n-th search that begins, in the warm-up or later, runs the n-th query; the first
 * query follows the last.
 *
 * <p><b>Threads:</b> any.
 */
public final class SearchLoad implements Searches {

  private static final int TOP = 10;

  private final SearcherManager searchers;
  private final List<SearchQuery> queries;
  private final AtomicLong next = new AtomicLong();
  private final LongAdder measured = new LongAdder();
  private final LongAdder withoutHits = new LongAdder();

  public SearchLoad(SearcherManager searchers, List<SearchQuery> queries) {
    this.searchers = searchers;
    this.queries = queries;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException {
    SearchQuery query = queries.get((int) (next.getAndIncrement() % queries.size()));
    IndexSearcher searcher = searchers.acquire();
    int hits;
    try {
      TopDocs top = searcher.search(query.toLucene(IndexSchema.BODY), TOP);
      hits = top.scoreDocs.length;
      StoredFields stored = searcher.storedFields();
      for (ScoreDoc hit : top.scoreDocs) {
        stored.document(hit.doc);
      }
    } finally {
      searchers.release(searcher);
    }
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
}
