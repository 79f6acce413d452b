package io.weir.examples;

import io.weir.Weir;
import io.weir.nrt.ReopenMonitor;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherLifetimeManager;
import org.apache.lucene.search.SearcherManager;

/**
 * Pages of results come from the searcher that the first page came from. Old searchers keep the
 * files of merged segments; Weir unmaps them on a thread of its own when the last one is pruned.
 */
final class LastingSearchers {

  private static final double MAX_AGE_SECONDS = 600;

  private LastingSearchers() {}

  /** Takes a first page, indexes more, and takes the second; returns what it has to say of it. */
  static String run(Path path) throws IOException {
    try (Weir weir = Weir.builder().open(path)) {
      IndexWriter writer =
          weir.own(new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig())));
      SearcherManager searchers = weir.own(new SearcherManager(writer, weir.searcherFactory()));
      ReopenMonitor reopens = weir.attach(searchers);
      SearcherLifetimeManager lifetimes = weir.own(new SearcherLifetimeManager());

      writer.addDocument(new Document());
      reopens.maybeRefreshBlocking();
      long token; // goes to the user with the first page
      IndexSearcher first = searchers.acquire();
      try {
        token = lifetimes.record(first);
      } finally {
        searchers.release(first);
      }
      writer.addDocument(new Document());
      reopens.maybeRefreshBlocking();

      IndexSearcher second = lifetimes.acquire(token); // null if it was pruned: begin anew
      try {
        return "%d document on the second page, %d in the index"
            .formatted(second.getIndexReader().numDocs(), writer.getDocStats().numDocs);
      } finally {
        lifetimes.release(second);
        lifetimes.prune(new SearcherLifetimeManager.PruneByAge(MAX_AGE_SECONDS)); // now and then
      }
    }
  }
}
