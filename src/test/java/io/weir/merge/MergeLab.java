package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.function.BiConsumer;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.InfoStream;

/** Real indexes in several segments, and what tests of their merges have in common. */
public final class MergeLab {

  private MergeLab() {}

  /** The scheduler, and a merge policy that makes no compound files and waits for no flush. */
  public static IndexWriterConfig config(MergeScheduler scheduler) {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(0);
    return new IndexWriterConfig()
        .setMergeScheduler(scheduler)
        .setMergePolicy(policy)
        .setMaxFullFlushMergeWaitMillis(0);
  }

  /** Fills an empty directory with so many segments and commits. */
  public static void build(
      Directory directory, int segments, int documents, BiConsumer<Document, Random> fields)
      throws IOException {
    build(directory, segments, documents, fields, false);
  }

  /** As {@link #build}, with or without compound files. */
  static void build(
      Directory directory,
      int segments,
      int documents,
      BiConsumer<Document, Random> fields,
      boolean compound)
      throws IOException {
    Random random = new Random(42);
    IndexWriterConfig config =
        new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE).setUseCompoundFile(compound);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < segments; segment++) {
        for (int i = 0; i < documents; i++) {
          Document document = document(segment * documents + i);
          fields.accept(document, random);
          writer.addDocument(document);
        }
        writer.flush();
      }
      writer.commit();
    }
  }

  /** A copy, in memory, of an index that is built once for many tests. */
  static Directory copyOf(Directory index) throws IOException {
    Directory copy = new ByteBuffersDirectory();
    for (String file : index.listAll()) {
      copy.copyFrom(index, file, file, IOContext.DEFAULT);
    }
    return copy;
  }

  public static Document document(int id) {
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
    return document;
  }

  /** Half a kilobyte that does not compress well, stored. */
  public static void source(Document document, Random random) {
    byte[] bytes = new byte[512];
    random.nextBytes(bytes);
    document.add(new StoredField("source", bytes));
  }

  /** So many random bytes, which do not compress, in the stored field {@code stored}. */
  public static BiConsumer<Document, Random> stored(int length) {
    return (document, random) -> {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      document.add(new StoredField("stored", bytes));
    };
  }

  public static void text(Document document, Random random) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      words.append(Integer.toString(random.nextInt(5000), 36)).append(' ');
    }
    document.add(new TextField("body", words.toString(), Field.Store.YES));
  }

  /** Term vectors of so many words out of so many, and doc values of each size. */
  static void vectorsAndValues(Document document, Random random, int words, int distinct) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(Integer.toString(random.nextInt(distinct), 36)).append(' ');
    }
    FieldType vectors = new FieldType(TextField.TYPE_STORED);
    vectors.setStoreTermVectors(true);
    vectors.setStoreTermVectorPositions(true);
    document.add(new Field("vectors", text.toString(), vectors));
    byte[] bytes = new byte[30];
    random.nextBytes(bytes);
    document.add(new NumericDocValuesField("number", random.nextLong()));
    document.add(new BinaryDocValuesField("binary", new BytesRef(bytes)));
    document.add(new SortedSetDocValuesField("set", new BytesRef(bytes)));
  }

  /** Lucene's own scheduler, whose merges may fail: forceMerge throws what they throw. */
  static MergeScheduler failingScheduler() {
    return new ConcurrentMergeScheduler() {
      @Override
      protected void handleMergeException(Throwable failure) {}
    };
  }

  /**
   * 4500 documents of these have so many bytes of points that their merge needs temporary files.
   */
  static void widePoints(Document document, Random random) {
    for (int i = 0; i < 60; i++) {
      document.add(new LongPoint("point", random.longs(8).toArray()));
    }
  }

  /** The index is whole, and holds so many documents. */
  public static void check(Directory directory, int documents) throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      check.setInfoStream(
          new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8));
      assertTrue(check.checkIndex().clean, "the index is broken");
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(documents, reader.numDocs());
    }
  }

  /** No file is there that the last commit does not use. */
  static void checkNothingLeftOver(Directory directory) throws IOException {
    Set<String> left = new HashSet<>(List.of(directory.listAll()));
    left.removeAll(SegmentInfos.readLatestCommit(directory).files(true));
    left.removeIf(name -> name.equals("write.lock"));
    assertEquals(Set.of(), left);
  }

  public static int segments(Directory directory) throws IOException {
    return SegmentInfos.readLatestCommit(directory).size();
  }

  /** Something that may throw. */
  public interface Act {
    void run() throws Exception;
  }

  /** Does it on another thread; what it throws comes out of {@code get}. */
  public static FutureTask<Void> start(Act act) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              act.run();
              return null;
            });
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /** As {@link #start}, for forced merges that are meant to be stopped. */
  static FutureTask<Void> forceMerge(IndexWriter writer) {
    return start(() -> writer.forceMerge(1));
  }

  /** Does it, where nothing checked may be thrown. */
  public static void unchecked(Act act) {
    try {
      act.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Remembers what it is told. */
  static final class Recorder implements MergeListener {

    final List<MergeTotals> started = new CopyOnWriteArrayList<>();
    final List<MergeTotals> finished = new CopyOnWriteArrayList<>();
    final List<String> news = new CopyOnWriteArrayList<>();
    final List<MergeDebtSnapshot> warnings = new CopyOnWriteArrayList<>();

    @Override
    public void mergeStarted(MergeTotals merge) {
      started.add(merge);
    }

    @Override
    public void mergeFinished(MergeTotals merge) {
      finished.add(merge);
    }

    @Override
    public void capLifted(String reason) {
      news.add("lifted: " + reason);
    }

    @Override
    public void capRestored() {
      news.add("restored");
    }

    @Override
    public void cannotKeepUp(MergeDebtSnapshot debt) {
      news.add("cannot keep up");
      warnings.add(debt);
    }

    List<MergeKind> kinds() {
      return started.stream().map(MergeTotals::kind).toList();
    }
  }

  /** Keeps the messages of one component. */
  static final class Messages extends InfoStream {

    private final String component;
    private final List<String> messages = new ArrayList<>(); // guarded by itself

    Messages(String component) {
      this.component = component;
    }

    List<String> containing(String part) {
      synchronized (messages) {
        return messages.stream().filter(message -> message.contains(part)).toList();
      }
    }

    @Override
    public void message(String of, String message) {
      synchronized (messages) {
        messages.add(message);
      }
    }

    @Override
    public boolean isEnabled(String of) {
      return of.equals(component);
    }

    @Override
    public void close() {}
  }
}
