package io.weir.nrt;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** A small index under a writer, and every reader that was made into a searcher by its factory. */
final class NrtIndex implements Closeable {

  final Directory directory;
  final IndexWriter writer;
  final List<IndexReader> readers = Collections.synchronizedList(new ArrayList<>());
  private int nextId;

  NrtIndex() throws IOException {
    this(new IndexWriterConfig());
  }

  NrtIndex(IndexWriterConfig config) throws IOException {
    this(new ByteBuffersDirectory(), config);
  }

  NrtIndex(Directory directory, IndexWriterConfig config) throws IOException {
    this.directory = directory;
    this.writer = new IndexWriter(directory, config);
  }

  /** Returns its sequence number. */
  long add() throws IOException {
    return update(nextId++);
  }

  long update(int id) throws IOException {
    Document document = new Document();
    document.add(new StringField("id", "" + id, Field.Store.YES));
    return writer.updateDocument(new Term("id", "" + id), document);
  }

  /** Remembers the readers, and does {@code warm} with each but the first. */
  SearcherFactory factory(Warm warm) {
    return new SearcherFactory() {
      @Override
      public IndexSearcher newSearcher(IndexReader reader, IndexReader previous)
          throws IOException {
        readers.add(reader);
        if (previous != null) {
          warm.warm();
        }
        return new IndexSearcher(reader);
      }
    };
  }

  @Override
  public void close() throws IOException {
    writer.rollback();
    directory.close();
  }

  interface Warm {
    void warm() throws IOException;
  }
}
