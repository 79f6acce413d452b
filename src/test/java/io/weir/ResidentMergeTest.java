package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.ReadCountingDirectory;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import io.weir.store.ResidentSnapshot;
import io.weir.stress.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.ReadOnceHint;
import org.apache.lucene.util.ThreadInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of dictionaries in memory when segments are merged. */
@Timeout(120)
class ResidentMergeTest {

  private static final int SEGMENTS = 4;
  private static final int DOCUMENTS = 20_000;
  private static final int ALL = SEGMENTS * DOCUMENTS;

  @TempDir Path temp;

  /**
   * A bound that has room for the dictionaries of an index once, and not twice. The merged one was
   * refused for ever, because those of the segments it replaces were still held, and Lucene keeps
   * the reader of a merged segment open.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void forceMerge_withRoomForTheKeysOnce_theMergedOnesAreHeldWhenTheOldReadersAreClosed(
      boolean compound) throws Exception {
    build(compound);
    long needed = dictionaryBytes();
    ReadCountingDirectory disk = new ReadCountingDirectory(FSDirectory.open(temp));
    Weir weir = Weir.builder().keys(ResidentKeys.of("id").withMaxBytes(needed * 5 / 4)).open(disk);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, config(weir, compound))) {
      ResidentDirectory resident = resident(directory);
      DirectoryReader before = DirectoryReader.open(writer);
      assertEquals(SEGMENTS, before.leaves().size());
      Await.until("held", () -> resident.snapshot().waitingFiles() == 0);
      assertEquals(SEGMENTS, resident.snapshot().bytesBySegment().size());

      writer.forceMerge(1);
      DirectoryReader after = DirectoryReader.openIfChanged(before);
      SegmentReader merged = (SegmentReader) after.leaves().get(0).reader();
      assertEquals(1, after.leaves().size());
      assertTrue(resident.snapshot().waitingFiles() > 0, "it had room: " + resident.snapshot());
      before.close();

      Await.until("handed over", () -> resident.snapshot().waitingFiles() == 0);
      ResidentSnapshot held = resident.snapshot();
      assertTrue(held.bytesBySegment().containsKey(merged.getSegmentName()), held.toString());
      assertTrue(held.peakBytes() <= held.maxBytes(), held.toString());
      assertEquals(0, held.faults());
      // It is the same open reader that reads from memory now.
      disk.forget();
      for (int key = 0; key < ALL; key += 101) {
        assertEquals(1, after.docFreq(new Term("id", SmallHeapTest.key(key))));
      }
      assertSame(merged, after.leaves().get(0).reader());
      assertEquals(
          0,
          disk.bytesByFile().entrySet().stream()
              .filter(file -> file.getKey().contains(".ti"))
              .mapToLong(file -> file.getValue())
              .sum(),
          () -> disk.bytesByFile().toString());
      after.close();
    }
    try (Directory directory = FSDirectory.open(temp);
        CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
  }

  /** What is bulk loaded is not looked up by key: its dictionaries are not read, nor held. */
  @Test
  void bulkLoad_withMerges_readsNoDictionaryIn() throws Exception {
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(temp);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, config(weir, false))) {
      for (int key = 0; key < 1000; key++) {
        writer.addDocument(document(key));
        if (key % 100 == 99) {
          writer.flush();
        }
      }
      writer.forceMerge(1);
      ResidentDirectory resident = resident(directory);
      assertEquals(0, resident.snapshot().loadedFiles());

      writer.updateDocument(new Term("id", SmallHeapTest.key(7)), document(7));
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(1000, reader.numDocs());
        Await.until("held when it is asked", () -> resident.snapshot().files() == 4);
      }
    }
  }

  /** A dictionary of 256 MiB once kept rollback waiting for up to 0.7 s. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rollback_whileAMergeReadsItsDictionaryIn_waitsForOnePieceAtMost(boolean compound)
      throws Exception {
    build(compound);
    HeldReads disk = new HeldReads(FSDirectory.open(temp));
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(disk);
    try (Directory directory = weir.directory()) {
      ResidentDirectory resident = resident(directory);
      IndexWriter writer = new IndexWriter(directory, config(weir, compound));
      DirectoryReader before = DirectoryReader.open(writer);
      Await.until("held", () -> resident.snapshot().waitingFiles() == 0);
      long held = resident.snapshot().bytes();
      disk.hold();
      writer.forceMerge(1, false);
      disk.awaitRead();
      assertTrue(resident.snapshot().bytes() > held, "it does not read for memory");
      Thread rollback =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      writer.rollback();
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      Await.until(
          "the abort",
          () ->
              EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING)
                  .contains(rollback.getState()));
      int reads = disk.letGo();
      rollback.join();
      assertEquals(0, disk.reads() - reads, "pieces read after the one under way");
      before.close();
      assertEquals(0, resident.snapshot().bytes());
      assertEquals(0, resident.snapshot().faults());
    }
    try (Directory directory = FSDirectory.open(temp);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(ALL, reader.numDocs());
    }
  }

  /** Holds up what copies a dictionary to memory, at its first piece. */
  private static final class HeldReads extends FilterDirectory {

    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger reads = new AtomicInteger();
    private volatile boolean held;

    HeldReads(Directory in) {
      super(in);
    }

    void hold() {
      held = true;
    }

    void awaitRead() throws InterruptedException {
      reading.await();
    }

    int letGo() {
      int before = reads();
      goOn.countDown();
      return before;
    }

    int reads() {
      return reads.get();
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      IndexInput input = in.openInput(name, context);
      return held && context.hints().contains(ReadOnceHint.INSTANCE) ? held(input) : input;
    }

    private IndexInput held(IndexInput input) {
      return new FilterIndexInput(input.toString(), input) {
        @Override
        public void readBytes(byte[] bytes, int offset, int length) throws IOException {
          if (length > 100_000) {
            reads.incrementAndGet();
            reading.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new ThreadInterruptedException(e);
            }
          }
          in.readBytes(bytes, offset, length);
        }

        @Override
        public IndexInput slice(String description, long offset, long length) throws IOException {
          return held(in.slice(description, offset, length));
        }
      };
    }
  }

  private static Document document(int key) {
    Document document = new Document();
    document.add(new StringField("id", SmallHeapTest.key(key), Field.Store.NO));
    return document;
  }

  private static IndexWriterConfig config(Weir weir, boolean compound) {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(compound ? 1 : 0);
    return weir.configure(
        new IndexWriterConfig().setUseCompoundFile(compound).setMergePolicy(policy));
  }

  private void build(boolean compound) throws IOException {
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(temp);
    try (Directory directory = weir.directory();
        IndexWriter writer =
            new IndexWriter(
                directory, config(weir, compound).setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int key = 0; key < ALL; key++) {
        writer.addDocument(document(key));
        if (key % DOCUMENTS == DOCUMENTS - 1) {
          writer.flush();
        }
      }
    }
  }

  private long dictionaryBytes() throws IOException {
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(temp);
    try (Directory directory = weir.directory();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      ResidentDirectory resident = resident(directory);
      Await.until("held", () -> resident.snapshot().waitingFiles() == 0);
      assertEquals(ALL, reader.numDocs());
      return resident.snapshot().bytes();
    }
  }

  private static ResidentDirectory resident(Directory directory) {
    Directory at = directory;
    while (!(at instanceof ResidentDirectory)) {
      at = ((FilterDirectory) at).getDelegate();
    }
    return (ResidentDirectory) at;
  }
}
