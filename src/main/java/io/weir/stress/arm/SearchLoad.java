package io.weir.stress.arm;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;

/**
 * One search as a reader of the index would do it: the ten best documents for a term, and their
 * stored fields.
 *
 * <p><b>Threads:</b> any.
 */
final class SearchLoad implements OpenLoop.Operation {

  private static final int TOP = 10;

  private final SearcherManager searchers;
  private final List<Term> terms;
  private final AtomicLong next = new AtomicLong();

  SearchLoad(SearcherManager searchers, List<Term> terms) {
    this.searchers = searchers;
    this.terms = terms;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException {
    Term term = terms.get((int) (next.getAndIncrement() % terms.size()));
    IndexSearcher searcher = searchers.acquire();
    try {
      TopDocs top = searcher.search(new TermQuery(term), TOP);
      StoredFields stored = searcher.storedFields();
      for (ScoreDoc hit : top.scoreDocs) {
        stored.document(hit.doc);
      }
    } finally {
      searchers.release(searcher);
    }
  }
}
