package io.weir.stress.arm.load;

import io.weir.run.Values;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.queries.SearchQuery;
import java.io.IOException;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TopDocs;

/**
 * One search as an application would run it: the ten best documents for a query, and their stored
 * fields.
 *
 * <p><b>Threads:</b> any.
 */
public final class SearchLoad implements Searches {

  private static final int TOP = 10;

  private final SearcherManager searchers;
  private final QueryTurns queries;

  public SearchLoad(SearcherManager searchers, QueryTurns queries) {
    this.searchers = searchers;
    this.queries = queries;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException {
    SearchQuery query = queries.next();
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
    queries.ended(dueNanos, hits);
  }

  @Override
  public boolean isEmpty() {
    return queries.isEmpty();
  }

  @Override
  public Values hits() {
    return queries.hits();
  }
}
