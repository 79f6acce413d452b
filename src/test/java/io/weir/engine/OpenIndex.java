package io.weir.engine;

import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;

/** A writer and two managers of its readers, as an engine has for a shard. */
final class OpenIndex implements Closeable {

  final IndexWriter writer;
  final SearcherManager external;
  final SearcherManager internal;
  private final Directory directory;

  OpenIndex(Directory directory, IndexWriterConfig config) throws IOException {
    this.directory = directory;
    this.writer = new IndexWriter(directory, config);
    this.external = new SearcherManager(writer, null);
    this.internal = new SearcherManager(writer, null);
  }

  /** Adds a document, and makes it visible to searches. */
  void refresh() throws IOException {
    Document document = new Document();
    document.add(new StringField("id", "same", Field.Store.YES));
    writer.addDocument(document);
    external.maybeRefreshBlocking();
  }

  @Override
  public void close() throws IOException {
    external.close();
    internal.close();
    writer.close();
    directory.close();
  }
}
