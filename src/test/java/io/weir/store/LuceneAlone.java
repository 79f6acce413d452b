package io.weir.store;

import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * A program that knows Lucene and nothing of ours. Arguments: an index, a field, a key in it. Exit
 * code 0: it is clean, holds the key once, before and after an update of it and a merge into one.
 */
final class LuceneAlone {

  private LuceneAlone() {}

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    try {
      Class.forName("io.weir.store.ResidentKeys");
      throw new IllegalStateException("Weir is on the class path");
    } catch (ClassNotFoundException e) {
      // As it should be.
    }
    Term key = new Term(arguments[1], arguments[2]);
    try (Directory directory = FSDirectory.open(Path.of(arguments[0]))) {
      requireClean(directory, key);
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        Document document = new Document();
        document.add(new StringField(key.field(), key.text(), Field.Store.YES));
        writer.updateDocument(key, document);
        writer.forceMerge(1);
      }
      requireClean(directory, key);
    }
  }

  private static void requireClean(Directory directory, Term key) throws Exception {
    try (CheckIndex check = new CheckIndex(directory);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      int found = new IndexSearcher(reader).count(new TermQuery(key));
      if (!check.checkIndex().clean || found != 1) {
        throw new IllegalStateException("not clean, or found " + found + " of " + key);
      }
    }
  }
}
