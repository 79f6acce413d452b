package io.weir.store;

import static io.weir.store.KeyedIndex.config;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.held.Heaps;
import io.weir.store.reads.MergeReadPacing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A merge reads the dictionary that it has written in before Lucene opens the segment. */
@Timeout(120)
class ResidentStagingTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 40_000;
  private static final ResidentKeys KEYS = ResidentKeys.of(KeyedIndex.KEY);

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));

  @TempDir Path temp;

  private final List<String> allocatedUnderALock = new CopyOnWriteArrayList<>();
  private final AtomicBoolean merged = new AtomicBoolean();
  private final AtomicInteger allocations = new AtomicInteger();
  private final SteppedLoader loader =
      new SteppedLoader(Long.MAX_VALUE, Heaps.ROOMY, this::allocate);

  private int allocate(int bytes) {
    if (merged.get()) {
      allocations.incrementAndGet();
      StackWalker.getInstance()
          .walk(frames -> frames.map(StackWalker.StackFrame::getClassName).toList())
          .stream()
          .filter(name -> name.endsWith(".ReadersAndUpdates"))
          .forEach(allocatedUnderALock::add);
    }
    return bytes;
  }

  /**
   * It once was copied whole inside ReadersAndUpdates.getReader, which an abort had to wait for.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void merge_dictionaryIsReadInBeforeTheSegmentIsOpened_underNoLock(boolean compound)
      throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(compound, KEYS), SEGMENTS, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(watched(), KEYS);
        IndexWriter writer = new IndexWriter(resident, warmed(compound));
        DirectoryReader before = DirectoryReader.open(writer)) {
      assertEquals(SEGMENTS, resident.snapshot().bytesBySegment().size());
      writer.forceMerge(1);
      assertEquals(List.of(), allocatedUnderALock);
      assertTrue(allocations.get() > 0);
      long loaded = resident.snapshot().loadedFiles();
      try (DirectoryReader after = DirectoryReader.openIfChanged(before)) {
        assertTrue(
            resident.snapshot().bytesBySegment().keySet().containsAll(KeyedIndex.segments(after)));
        KeyedIndex.assertVersion("first", after, 5);
        assertEquals(loaded, resident.snapshot().loadedFiles());
        assertEquals(0, resident.snapshot().faults());
      }
    }
    assertEquals(0, loader.memory.bytes());
  }

  /** An abort between two pieces: the merge ends there, and its memory is given back. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void abort_atEachPieceOfTheCopy_endsTheMergeAndGivesTheMemoryBack(boolean compound)
      throws Exception {
    KeyedIndex.build(FSDirectory.open(temp), config(compound, KEYS), SEGMENTS, DOCUMENTS);
    for (int piece = 1; piece <= 2; piece++) {
      AtomicInteger left = new AtomicInteger(piece);
      try (ResidentDirectory resident = loader.directory(watched(), KEYS);
          IndexWriter writer = new IndexWriter(resident, warmed(compound));
          DirectoryReader before = DirectoryReader.open(writer)) {
        long held = resident.snapshot().bytes();
        MergeReadPacing.Pacer aborting =
            () -> {
              if (left.decrementAndGet() <= 0) {
                throw new MergePolicy.MergeAbortedException("aborted");
              }
            };
        assertEquals(SEGMENTS, before.leaves().size());
        MergeReadPacing.begin(aborting, segment -> 1);
        try {
          assertThrows(
              MergePolicy.MergeAbortedException.class,
              () -> resident.createOutput("_0.si", MERGE).close());
          assertEquals(held, resident.snapshot().bytes());
          assertEquals(held, loader.memory.bytes());
          assertEquals(0, resident.snapshot().faults());
        } finally {
          MergeReadPacing.end();
        }
      }
    }
  }

  /** Nobody opens it: the segment is given up, or the directory closed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void staged_neverOpened_isGivenBackWithItsFileOrTheDirectory(boolean compound)
      throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(compound, KEYS), 1, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(watched(), KEYS)) {
      DirectoryReader.open(resident).close();
      assertEquals(0, loader.memory.bytes());

      resident.createOutput("_0.si", MERGE).close();
      assertTrue(loader.memory.bytes() > DOCUMENTS);
      resident.deleteFile("_0.nothing-of-it");
      assertTrue(loader.memory.bytes() > DOCUMENTS);
      resident.deleteFile(compound ? "_0.cfs" : "_0_Lucene104_1.tim");
      assertEquals(0, loader.memory.bytes());
    }
  }

  @Test
  void staged_neverOpened_isGivenBackWhenTheDirectoryIsClosed() throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(watched(), KEYS)) {
      DirectoryReader.open(resident).close();
      resident.createOutput("_0.si", MERGE).close();
      assertTrue(loader.memory.bytes() > DOCUMENTS);
    }
    assertEquals(0, loader.memory.bytes());
  }

  @Test
  void staged_neverOpened_isGivenBackWhenNobodyReadsTheIndexAnyMore() throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 2, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(watched(), KEYS)) {
      DirectoryReader reader = DirectoryReader.open(resident);
      long held = loader.memory.bytes();
      resident.createOutput("_0.si", MERGE).close();
      assertTrue(loader.memory.bytes() > held);
      reader.close();
      assertEquals(0, loader.memory.bytes());
    }
  }

  /** Names of segments come again after a rollback; the bytes of another file must not be read. */
  @Test
  void staged_ofAnotherFileWithTheSameName_isNotTaken() throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, DOCUMENTS);
    try (ResidentDirectory resident = loader.directory(watched(), KEYS)) {
      DirectoryReader.open(resident).close();
      resident.createOutput("_0.si", MERGE).close();
      assertTrue(loader.memory.bytes() > DOCUMENTS);
      try (Directory behind = FSDirectory.open(temp)) {
        for (String file : behind.listAll()) {
          behind.deleteFile(file);
        }
        KeyedIndex.build(behind, config(false, KEYS), 1, DOCUMENTS);
      }
      try (DirectoryReader reader = DirectoryReader.open(resident)) {
        assertEquals(1, resident.snapshot().faults());
        KeyedIndex.assertVersion("first", reader, 5);
      }
    }
    assertEquals(0, loader.memory.bytes());
  }

  private static IndexWriterConfig warmed(boolean compound) {
    MergeScheduler scheduler = new ConcurrentMergeScheduler();
    return config(compound, KEYS).setMergeScheduler(scheduler).setMergedSegmentWarmer(leaf -> {});
  }

  /** A segment info that is written again is thrown away; the first one of a merge is noticed. */
  private Directory watched() throws IOException {
    return new FilterDirectory(FSDirectory.open(temp)) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        boolean info = name.endsWith(".si") && context.context() == IOContext.Context.MERGE;
        merged.compareAndSet(false, info);
        return info && name.equals("_0.si")
            ? in.createTempOutput("thrown", "away", context)
            : in.createOutput(name, context);
      }

      @Override
      public void deleteFile(String name) throws IOException {
        if (!name.endsWith("nothing-of-it")) {
          in.deleteFile(name);
        }
      }
    };
  }
}
