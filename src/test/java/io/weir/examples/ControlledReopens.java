package io.weir.examples;

import io.weir.Weir;
import io.weir.nrt.ReopenMonitor;
import io.weir.store.ResidentKeys;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.ControlledRealTimeReopenThread;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;

/**
 * Lucene's own thread reopens, and a search waits for the document that it must find. The monitor
 * sees each reopen, whoever does it; only the wait for the refresh lock stays unknown.
 */
final class ControlledReopens {

  private static final double MAX_STALE_SECONDS = 5;
  private static final double MIN_STALE_SECONDS = 0.02;

  private ControlledReopens() {}

  /** Writes a document and finds it; returns what it has to say of it. */
  static String run(Path path) throws Exception {
    try (Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(path)) {
      IndexWriter writer =
          weir.own(new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig())));
      SearcherManager searchers = weir.own(new SearcherManager(writer, weir.searcherFactory()));
      ReopenMonitor reopens = weir.attach(searchers);
      ControlledRealTimeReopenThread<IndexSearcher> reopener =
          weir.own(
              new ControlledRealTimeReopenThread<>(
                  writer, searchers, MAX_STALE_SECONDS, MIN_STALE_SECONDS));
      reopener.setDaemon(true);
      reopener.start();

      Document document = new Document();
      document.add(new StringField("id", "7", Field.Store.YES));
      long sequenceNumber = writer.updateDocument(new Term("id", "7"), document);
      reopens.indexed(sequenceNumber);
      reopener.waitForGeneration(sequenceNumber);
      IndexSearcher searcher = searchers.acquire();
      try {
        int found = searcher.count(new TermQuery(new Term("id", "7")));
        return "%d found, %d reopen".formatted(found, reopens.snapshot().changed());
      } finally {
        searchers.release(searcher);
      }
    } // the thread ends first, then the monitor, the searchers, the writer and the directory
  }
}
