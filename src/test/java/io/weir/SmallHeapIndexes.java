package io.weir;

import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import io.weir.store.ResidentMemory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IOUtils;

/**
 * A process with a small heap that has several indexes open at once: {@link SmallHeapTest} starts
 * it. Arguments: {@code stock} or {@code pressed}, and the directories of the indexes. Exit code 0:
 * every writer has updated, reopened, merged and committed, and is open.
 *
 * <p>Pressed, it then takes heap until the JVM has to choose between this program and the
 * dictionaries that are held, and does it all again.
 */
final class SmallHeapIndexes implements Closeable {

  private static final int UPDATES = 200;
  private static final int CHUNK_BYTES = 256 << 10;

  private final Directory directory;
  private final IndexWriter writer;
  private DirectoryReader reader;

  private SmallHeapIndexes(Path path, boolean stock) throws IOException {
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(path);
    directory = stock ? FSDirectory.open(path) : weir.directory();
    IndexWriterConfig config = new IndexWriterConfig();
    writer = new IndexWriter(directory, stock ? config : weir.configure(config));
    reader = DirectoryReader.open(writer);
  }

  /** Runs it. */
  public static void main(String[] arguments) throws Exception {
    boolean stock = arguments[0].equals("stock");
    List<SmallHeapIndexes> indexes = new ArrayList<>();
    try {
      for (int i = 1; i < arguments.length; i++) {
        indexes.add(new SmallHeapIndexes(Path.of(arguments[i]), stock));
      }
      work(indexes, "first");
      if (arguments[0].equals("pressed")) {
        List<byte[]> taken = takeHeapUntilNothingIsHeld(indexes);
        work(indexes, "second");
        taken.clear();
      }
      for (SmallHeapIndexes index : indexes) {
        if (!index.writer.isOpen()) {
          throw new IllegalStateException("a writer was closed", index.writer.getTragicException());
        }
      }
    } finally {
      IOUtils.close(indexes);
    }
  }

  private static void work(List<SmallHeapIndexes> indexes, String version) throws IOException {
    for (SmallHeapIndexes index : indexes) {
      index.updateAndMerge(version);
    }
  }

  private void updateAndMerge(String version) throws IOException {
    for (int i = 0; i < UPDATES; i++) {
      Document document = new Document();
      document.add(new StringField("id", SmallHeapTest.key(i), Field.Store.NO));
      document.add(new StringField("version", version, Field.Store.NO));
      writer.updateDocument(new Term("id", SmallHeapTest.key(i)), document);
      if (i % 50 == 0) {
        reopen();
      }
    }
    writer.forceMerge(1);
    writer.commit();
    reopen();
    IndexSearcher searcher = new IndexSearcher(reader);
    int found = searcher.count(new TermQuery(new Term("version", version)));
    if (found != UPDATES || reader.numDocs() != SmallHeapTest.DOCUMENTS) {
      throw new IllegalStateException(found + " found of " + reader.numDocs() + " documents");
    }
  }

  private void reopen() throws IOException {
    DirectoryReader changed = DirectoryReader.openIfChanged(reader);
    if (changed != null) {
      reader.close();
      reader = changed;
    }
  }

  /**
   * An application that needs the heap itself; it ends with an error if it does not get it. The
   * merges before it may have needed all of the heap already.
   */
  private static List<byte[]> takeHeapUntilNothingIsHeld(List<SmallHeapIndexes> indexes) {
    if (ResidentMemory.ofKeys().snapshot().peakBytes() == 0) {
      throw new IllegalStateException("nothing was ever held");
    }
    List<byte[]> taken = new ArrayList<>();
    while (heldFiles(indexes) > 0) {
      taken.add(new byte[CHUNK_BYTES]);
    }
    return taken;
  }

  private static long heldFiles(List<SmallHeapIndexes> indexes) {
    long files = 0;
    for (SmallHeapIndexes index : indexes) {
      for (Directory at = index.directory;
          at instanceof FilterDirectory filter;
          at = filter.getDelegate()) {
        if (at instanceof ResidentDirectory resident) {
          files += resident.snapshot().files();
        }
      }
    }
    return files;
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(reader, writer, directory);
  }
}
