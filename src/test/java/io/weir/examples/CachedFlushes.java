package io.weir.examples;

import io.weir.Weir;
import io.weir.nrt.ReopenMonitor;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NRTCachingDirectory;

/**
 * An {@code NRTCachingDirectory} belongs above Weir's directory, which refuses to be above one. It
 * is seldom needed: Weir holds the files of flushes in memory itself, bounded for the process.
 */
final class CachedFlushes {

  private static final double MAX_MERGED_MEGABYTES = 5;
  private static final double MAX_CACHED_MEGABYTES = 60;

  private CachedFlushes() {}

  /** Flushes into the cache and commits; returns what it has to say of it. */
  static String run(Path path) throws IOException {
    try (Weir weir = Weir.builder().open(path)) {
      Directory cached =
          weir.own(
              new NRTCachingDirectory(
                  weir.directory(), MAX_MERGED_MEGABYTES, MAX_CACHED_MEGABYTES));
      IndexWriter writer =
          weir.own(new IndexWriter(cached, weir.configure(new IndexWriterConfig())));
      SearcherManager searchers = weir.own(new SearcherManager(writer, weir.searcherFactory()));
      ReopenMonitor reopens = weir.attach(searchers);
      for (int i = 0; i < 3; i++) {
        writer.addDocument(new Document());
        reopens.maybeRefreshBlocking();
      }
      writer.commit();
      return "%d documents, %d reopens"
          .formatted(writer.getDocStats().numDocs, reopens.snapshot().changed());
    } // the writer, then the cache, which writes what it holds, then the directory
  }
}
