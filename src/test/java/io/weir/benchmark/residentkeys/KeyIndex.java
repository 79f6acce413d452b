package io.weir.benchmark.residentkeys;

import io.weir.store.ResidentDirectory;
import io.weir.stress.Await;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/** An index of keys and nothing else, and a reader of it that looks keys up as an update does. */
final class KeyIndex implements Closeable {

  static final String FIELD = "id";

  private static final Set<String> KEY_EXTENSIONS = Set.of("tim", "tip", "tmd", "tfp", "blm");
  private static final long KEY_MASK = (1L << 40) - 1;
  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;
  private static final int RADIX = 36;

  private final Directory directory;
  private final DirectoryReader reader;
  private final long openNanos;

  private KeyIndex(Directory directory) throws IOException {
    this.directory = directory;
    long startNanos = System.nanoTime();
    this.reader = DirectoryReader.open(directory);
    this.openNanos = System.nanoTime() - startNanos;
  }

  static void build(Path path, KeyArm arm, int segments, int documents) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(arm.codec())
            .setUseCompoundFile(false)
            .setMergePolicy(NoMergePolicy.INSTANCE);
    try (Directory directory = FSDirectory.open(path);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents; i++) {
        Document document = new Document();
        document.add(new StringField(FIELD, key(i), Field.Store.NO));
        writer.addDocument(document);
        if ((i + 1) % (documents / segments) == 0) {
          writer.flush();
        }
      }
    }
  }

  static KeyIndex open(Path path, KeyArm arm) throws IOException {
    Directory files = FSDirectory.open(path);
    return new KeyIndex(arm.keys() == null ? files : new ResidentDirectory(files, arm.keys()));
  }

  /** Different for each number below 2^40, and in no order. */
  private static String key(long number) {
    return Long.toString(number * SCRAMBLE & KEY_MASK, RADIX);
  }

  /** Waits until the dictionaries are in memory, if they are to be. */
  void awaitHeld() {
    if (directory instanceof ResidentDirectory resident) {
      Await.until("held in memory", () -> resident.snapshot().waitingFiles() == 0);
    }
  }

  long openNanos() {
    return openNanos;
  }

  long keyFileBytes() throws IOException {
    long bytes = 0;
    for (String file : directory.listAll()) {
      String extension = IndexFileNames.getExtension(file);
      bytes +=
          extension != null && KEY_EXTENSIONS.contains(extension) ? directory.fileLength(file) : 0;
    }
    return bytes;
  }

  long heldBytes(KeyArm arm) throws IOException {
    long bytes = arm == KeyArm.RESIDENT ? ((ResidentDirectory) directory).snapshot().bytes() : 0;
    for (String file : directory.listAll()) {
      bytes +=
          arm.heldExtension().equals(IndexFileNames.getExtension(file))
              ? directory.fileLength(file)
              : 0;
    }
    return bytes;
  }

  /**
   * Nanoseconds for this many lookups of keys between two numbers, each in every segment.
   *
   * @param clock of the wall, or of this thread's work when others may disturb it
   * @throws IllegalStateException unless as many documents were found as expected
   */
  long lookUp(int lookups, long fromNumber, long toNumber, long expectedHits, LongSupplier clock)
      throws IOException {
    SplittableRandom random = new SplittableRandom(fromNumber);
    BytesRef[] keys = new BytesRef[lookups];
    for (int i = 0; i < lookups; i++) {
      keys[i] = new BytesRef(key(random.nextLong(fromNumber, toNumber)));
    }
    long startNanos = clock.getAsLong();
    List<TermsEnum> terms = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      terms.add(leaf.reader().terms(FIELD).iterator());
    }
    long hits = 0;
    for (BytesRef key : keys) {
      for (TermsEnum segment : terms) {
        if (segment.seekExact(key)) {
          PostingsEnum postings = segment.postings(null, PostingsEnum.NONE);
          hits += postings.nextDoc() == DocIdSetIterator.NO_MORE_DOCS ? 0 : 1;
        }
      }
    }
    long nanos = clock.getAsLong() - startNanos;
    if (hits != expectedHits) {
      throw new IllegalStateException("found " + hits + " documents, not " + expectedHits);
    }
    return nanos;
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
  }
}
