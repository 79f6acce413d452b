package io.weir.store;

import static io.weir.store.KeyedIndex.assertClean;
import static io.weir.store.KeyedIndex.assertVersion;
import static io.weir.store.KeyedIndex.config;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.held.Heaps;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong, ends early or happens at once: no byte stays held, no open fails by us. */
@Timeout(120)
class ResidentFaultTest {

  private static final int DOCUMENTS = 1000;
  private static final int SEGMENTS = 3;
  private static final ResidentKeys KEYS = ResidentKeys.of(KeyedIndex.KEY);

  private final Logger logger = Logger.getLogger(ResidentDirectory.class.getPackageName());
  private final List<String> logged = Collections.synchronizedList(new ArrayList<>());
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logRecord) {
          logged.add(new SimpleFormatter().formatMessage(logRecord));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private final SteppedLoader loader = new SteppedLoader(Long.MAX_VALUE);

  @TempDir Path temp;

  @BeforeEach
  void listen() {
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  @ParameterizedTest
  @ValueSource(strings = {".fnm", "_Lucene104_1.tim", "_Lucene104_1.tip"})
  void readingIn_fails_opensAsWithoutUsAndTellsOnce(String ending) throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), SEGMENTS, DOCUMENTS);
    Directory disk =
        refusing(
            ending,
            f ->
                f.getMethodName().equals("keyFilesOf")
                    || f.getClassName().contains("DictionaryCopy"));
    try (ResidentDirectory resident = loader.directory(disk, KEYS)) {
      try (DirectoryReader reader = DirectoryReader.open(resident)) {
        assertVersion("first", reader, 5);
        ResidentSnapshot open = resident.snapshot();
        // Both group files and those of the other group ask for the field infos.
        long asked = ending.equals(".fnm") ? 4 : 1;
        assertEquals(asked * SEGMENTS, open.faults());
        assertEquals(0, open.loadedFiles(), "one file without the other");
        assertEquals(1, logged.size(), logged.toString());
        assertTrue(
            logged.get(0).contains(" is not held in memory and is read from the disk"),
            logged.get(0));
      }
      assertEquals(Map.of(), resident.snapshot().bytesBySegment());
      assertEquals(0, resident.snapshot().bytes());
    }
  }

  /** The index, without the files of this kind for such callers. */
  private Directory refusing(String ending, Predicate<StackWalker.StackFrame> caller)
      throws IOException {
    return new FilterDirectory(FSDirectory.open(temp)) {
      @Override
      public IndexInput openInput(String name, IOContext context) throws IOException {
        if (name.endsWith(ending)
            && StackWalker.getInstance().walk(frames -> frames.anyMatch(caller))) {
          throw new IOException("a bad sector");
        }
        return in.openInput(name, context);
      }
    };
  }

  /** What must be read to find the key's part of a dictionary of all fields. */
  @ParameterizedTest
  @ValueSource(strings = {".fnm", ".tmd", ".tim", ".tip", ".doc"})
  void findingTheKeysPart_fails_opensAsWithoutUsAndTellsOnce(String ending) throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false), SEGMENTS, DOCUMENTS);
    Directory disk = refusing(ending, f -> f.getClassName().endsWith("TermsOfFields"));
    try (ResidentDirectory resident = loader.directory(disk, KEYS, 0);
        DirectoryReader reader = DirectoryReader.open(resident)) {
      loader.goRound();
      assertVersion("first", reader, 5);
      assertEquals(SEGMENTS, resident.snapshot().faults());
      assertEquals(0, resident.snapshot().loadedFiles());
      assertEquals(0, resident.snapshot().bytes());
      assertEquals(1, logged.size(), logged.toString());
    }
  }

  /** A page that cannot be read of a mapped file is an InternalError, which closes a writer. */
  @ParameterizedTest
  @ValueSource(strings = {".fnm", "_Lucene104_1.tim", "_Lucene104_1.tip"})
  void readingIn_ofAMappedPageFails_theWriterGoesOn(String ending) throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), SEGMENTS, DOCUMENTS);
    try (ResidentDirectory resident =
        loader.directory(new BadPages(FSDirectory.open(temp), ending), KEYS)) {
      IndexWriterConfig config = config(false, KEYS).setMergedSegmentWarmer(leaf -> {});
      try (IndexWriter writer = new IndexWriter(resident, config);
          DirectoryReader before = DirectoryReader.open(writer)) {
        KeyedIndex.update(writer, 5, "second");
        writer.forceMerge(1);
        writer.commit();
        try (DirectoryReader after = DirectoryReader.openIfChanged(before)) {
          assertVersion("second", after, 5);
        }
        assertTrue(writer.isOpen());
      }
      assertTrue(resident.snapshot().faults() > 0, resident.snapshot().toString());
      assertEquals(1, logged.size(), logged.toString());
      assertEquals(0, loader.memory.bytes());
    }
    assertClean(FSDirectory.open(temp), SEGMENTS * DOCUMENTS);
  }

  /** What cannot be allocated stays on the disk. An error in copying once closed the writer. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allocation_failsAtEachPlace_theWriterGoesOn(boolean compound) throws IOException {
    Path index = temp.resolve("index");
    long failed = Long.MAX_VALUE;
    for (int allocation = 0; failed > 0; allocation++) {
      Directory disk = FSDirectory.open(index);
      KeyedIndex.build(disk, config(compound, KEYS), SEGMENTS, DOCUMENTS);
      failed = updateMergeAndReopen(disk, compound, allocation);
      assertClean(disk, SEGMENTS * DOCUMENTS);
      disk.close();
      IOUtils.rm(index);
      assertTrue(allocation < 100, "there is no end of allocations");
    }
  }

  /** The faults that there were. */
  private static long updateMergeAndReopen(Directory disk, boolean compound, int failing)
      throws IOException {
    AtomicInteger allocations = new AtomicInteger();
    SteppedLoader loader =
        new SteppedLoader(
            Long.MAX_VALUE,
            Heaps.ROOMY,
            bytes -> {
              if (allocations.getAndIncrement() == failing) {
                throw new OutOfMemoryError("Java heap space");
              }
              return bytes;
            });
    ResidentDirectory resident =
        loader.directory(
            new FilterDirectory(disk) {
              @Override
              public void close() {}
            },
            KEYS);
    IndexWriterConfig config = config(compound, KEYS).setMergedSegmentWarmer(leaf -> {});
    try (IndexWriter writer = new IndexWriter(resident, config);
        DirectoryReader before = DirectoryReader.open(writer)) {
      KeyedIndex.update(writer, 5, "second");
      writer.forceMerge(1);
      writer.commit();
      loader.goRound();
      try (DirectoryReader after = DirectoryReader.openIfChanged(before)) {
        assertVersion("second", after, 5);
      }
      assertTrue(writer.isOpen());
    }
    long faults = resident.snapshot().faults();
    assertEquals(allocations.get() > failing ? 1 : 0, faults);
    resident.close();
    assertEquals(0, loader.memory.bytes());
    return faults;
  }

  /** A file system with a bad page in each file of this kind, met by nobody but Weir. */
  private static final class BadPages extends FilterDirectory {

    private final String ending;

    BadPages(Directory in, String ending) {
      super(in);
      this.ending = ending;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      IndexInput input = in.openInput(name, context);
      boolean optional =
          StackWalker.getInstance()
              .walk(
                  frames ->
                      frames.anyMatch(
                          frame ->
                              frame.getMethodName().equals("keyFilesOf")
                                  || frame.getMethodName().equals("stage")
                                  || frame.getMethodName().equals("fetch")
                                  || frame.getClassName().contains("DictionaryCopy")));
      return optional && name.endsWith(ending)
          ? new FilterIndexInput("Bad(" + input + ")", input) {
            @Override
            public byte readByte() {
              throw new InternalError(
                  "a fault occurred in a recent unsafe memory access operation");
            }

            @Override
            public void readBytes(byte[] bytes, int offset, int length) {
              throw new InternalError(
                  "a fault occurred in a recent unsafe memory access operation");
            }
          }
          : input;
    }
  }

  @Test
  void bound_reached_isToldOnceWithItsNumbers() throws IOException {
    KeyedIndex.build(FSDirectory.open(temp), config(false, KEYS), 1, DOCUMENTS);
    try (ResidentDirectory resident =
            loader.directory(FSDirectory.open(temp), KEYS.withMaxBytes(10));
        DirectoryReader reader = DirectoryReader.open(resident)) {
      assertVersion("first", reader, 5);
      long bytes =
          resident.fileLength("_0_Lucene104_1.tim") + resident.fileLength("_0_Lucene104_1.tip");
      assertEquals(
          new ResidentSnapshot(0, 0, 10, 0, Map.of(), 2, bytes, 0, 0, 0, 1, 0, 0),
          resident.snapshot());
      assertEquals(
          List.of(
              "_0_Lucene104_1.tim with "
                  + bytes
                  + " bytes of terms is read from the disk until there is room, because 0 of at"
                  + " most 10 bytes of this index are in use (ResidentKeys.withMaxBytes). This is"
                  + " logged once for each index."),
          logged);
    }
  }

  @Test
  void missingFile_isTheDirectorysOwnExceptionAndNoFault() throws IOException {
    try (ResidentDirectory resident = loader.directory(FSDirectory.open(temp), KEYS)) {
      assertThrows(
          NoSuchFileException.class,
          () -> resident.openInput("_7_Lucene104_1.tim", IOContext.DEFAULT));
      assertEquals(0, resident.snapshot().faults());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void opensMergesDeletionsAndARollback_atOnce_leaveNothingHeld(boolean compound) throws Exception {
    KeyedIndex.build(FSDirectory.open(temp), config(compound, KEYS), SEGMENTS, DOCUMENTS);
    ResidentDirectory resident = loader.directory(FSDirectory.open(temp), KEYS);
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<Integer>> openers = new ArrayList<>();
      IndexWriter writer = new IndexWriter(resident, config(compound, KEYS).setMaxBufferedDocs(50));
      for (int i = 0; i < 2; i++) {
        openers.add(threads.submit(() -> openUntil(done, resident)));
      }
      Future<Integer> reopener = threads.submit(() -> reopenUntil(done, writer));
      for (int key = 0; key < SEGMENTS * DOCUMENTS; key += 3) {
        KeyedIndex.update(writer, key, "second");
        if (key % 600 == 0) {
          writer.commit();
        }
      }
      writer.forceMerge(2, false);
      done.set(true);
      for (Future<Integer> opener : openers) {
        assertTrue(opener.get(60, TimeUnit.SECONDS) > 1);
      }
      assertTrue(reopener.get(60, TimeUnit.SECONDS) > 1);
      writer.rollback();
    }
    assertClean(resident, SEGMENTS * DOCUMENTS);
    resident.close(); // without a warmer, a merged segment may have been read in and never opened
    ResidentSnapshot after = resident.snapshot();
    assertEquals(
        new ResidentSnapshot(
            0,
            after.peakBytes(),
            Long.MAX_VALUE,
            0,
            Map.of(),
            0,
            0,
            after.loadedFiles(),
            0,
            0,
            after.attempts(),
            after.readBytes(),
            0),
        after);
    assertEquals(0, loader.memory.bytes());
    assertTrue(after.loadedFiles() > 10 * SEGMENTS, after.toString());
  }

  private static int openUntil(AtomicBoolean done, Directory directory) throws IOException {
    int opened = 0;
    while (!done.get() || opened < 2) {
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(SEGMENTS * DOCUMENTS, reader.numDocs());
      }
      opened++;
    }
    return opened;
  }

  private static int reopenUntil(AtomicBoolean done, IndexWriter writer) throws IOException {
    int opened = 0;
    while (!done.get() || opened < 2) {
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(SEGMENTS * DOCUMENTS, reader.numDocs());
      }
      opened++;
    }
    return opened;
  }
}
