package io.weir.examples;

import io.weir.Weir;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.ByteBudget;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;

/** One index, without any metrics: what {@code README.md} shows. Argument: where to put it. */
final class PlainLucene {

  private static final System.Logger LOGGER = System.getLogger(PlainLucene.class.getName());

  private PlainLucene() {}

  public static void main(String[] arguments) throws IOException {
    LOGGER.log(Level.INFO, run(Path.of(arguments[0])));
  }

  /** Indexes, merges and searches; returns what it has to say of it. */
  static String run(Path path) throws IOException {
    ByteBudget budget = ByteBudget.perSecond(20_000_000);
    try (Weir weir = Weir.builder().budget(budget).keys(ResidentKeys.of("id")).open(path)) {
      IndexWriter writer =
          weir.own(new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig())));
      SearcherManager searchers = weir.own(new SearcherManager(writer, weir.searcherFactory()));
      ReopenMonitor reopens = weir.attach(searchers);
      for (int i = 0; i < 10_000; i++) {
        String id = Integer.toString(i % 3000); // most of them replace one
        Document document = new Document();
        document.add(new StringField("id", id, Field.Store.YES));
        document.add(new StringField("version", Integer.toString(i), Field.Store.YES));
        writer.updateDocument(new Term("id", id), document);
        if (i % 1000 == 999) {
          reopens.maybeRefresh();
        }
      }
      writer.forceMerge(1);
      reopens.maybeRefreshBlocking();
      IndexSearcher searcher = searchers.acquire();
      try {
        return "%d documents, %d of version 9999, %d bytes merged, %d reopens"
            .formatted(
                searcher.getIndexReader().numDocs(),
                searcher.count(new TermQuery(new Term("version", "9999"))),
                budget.snapshot().grantedBytes(),
                reopens.snapshot().changed());
      } finally {
        searchers.release(searcher);
      }
    }
  }
}
