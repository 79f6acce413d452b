package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.fakes.PosixDirectory;
import io.weir.store.FlushedFilesDirectory.Snapshot;
import io.weir.store.held.FlushedFile;
import io.weir.store.held.Heaps;
import io.weir.store.held.HeldMemory;
import io.weir.store.held.ProcessMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.BitUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlushedFilesDirectoryTest {

  private static final IOContext FLUSH = IOContext.flush(new FlushInfo(1, 1));
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, 1));
  private static final int BLOCK = FlushedFile.BLOCK_BYTES;

  @TempDir Path temp;

  @Test
  void reopens_untilACommit_createNoFile() throws Exception {
    Weir weir = Weir.builder().open(temp);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(withoutMerges()))) {
      writer.addDocument(document(0));
      writer.commit();
      Set<String> committed = onDisk();

      DirectoryReader reader = DirectoryReader.open(writer);
      for (int i = 1; i < 8; i++) {
        writer.updateDocument(new Term("id", "0"), document(0));
        writer.addDocument(document(i));
        DirectoryReader newer = DirectoryReader.openIfChanged(reader, writer);
        reader.close();
        reader = newer;
        assertEquals(i + 1, reader.numDocs());
        assertEquals(committed, onDisk(), "after reopen " + i);
      }
      Snapshot before = flushed(directory).snapshot();
      assertTrue(before.heldFiles() > 0 && before.unwrittenFiles() > 0, before.toString());
      assertTrue(before.heldBytes() > 0, before.toString());

      writer.commit();
      reader.close();
      assertEquals(0, flushed(directory).snapshot().heldFiles());
      try (DirectoryReader fromDisk = DirectoryReader.open(new MMapDirectory(temp))) {
        assertEquals(8, fromDisk.numDocs());
      }
    }
    assertSound(8);
  }

  @Test
  void compoundFlush_leavesOnlyItsThreeFiles() throws Exception {
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(new MMapDirectory(temp));
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      writer.addDocument(document(0));
      writer.flush();
      Snapshot held = directory.snapshot();
      assertEquals(3, held.heldFiles(), Arrays.toString(directory.listAll()));
      assertTrue(held.unwrittenFiles() > 5, held.toString());
      assertEquals(0, held.writtenFiles());
      writer.commit();
      assertEquals(3, directory.snapshot().writtenFiles());
    }
    assertSound(1);
  }

  @Test
  void mergesAndCommitPoints_goToTheDiskAtOnce() throws Exception {
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(new MMapDirectory(temp))) {
      write(directory, "merged", MERGE, 10);
      write(directory, "segments", IOContext.DEFAULT, 10);
      assertEquals(Set.of("merged", "segments"), onDisk());
      assertEquals(new Snapshot(0, 0, 0, 0, 0), directory.snapshot());
    }
  }

  @Test
  void file_ofEachLength_hasItsBytesAndItsChecksum() throws Exception {
    FlushedFilesOptions options = new FlushedFilesOptions(3 * BLOCK, 1 << 20);
    try (FlushedFilesDirectory directory =
        new FlushedFilesDirectory(new MMapDirectory(temp), options)) {
      for (int length :
          List.of(0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 1, 7 * BLOCK)) {
        for (boolean inPieces : List.of(true, false)) {
          String name = "f" + length + inPieces;
          byte[] bytes = bytes(length);
          long checksum;
          try (IndexOutput held = directory.createOutput(name, FLUSH);
              IndexOutput plain = directory.createOutput("p" + name, IOContext.DEFAULT)) {
            write(held, bytes, inPieces);
            plain.writeBytes(bytes, length);
            checksum = held.getChecksum();
            assertEquals(plain.getChecksum(), checksum, name);
            assertEquals(length, held.getFilePointer());
          }
          assertEquals(length > 3 * BLOCK, onDisk().contains(name), name);
          assertBytes(bytes, directory, name);
          directory.sync(List.of(name));
          assertTrue(onDisk().contains(name), name);
          assertBytes(bytes, directory, name);
        }
      }
      assertEquals(new Snapshot(0, 0, 12, 4, 0), directory.snapshot());
    }
  }

  @Test
  void file_ofOneByteMoreThanAllowed_goesToTheDisk() throws Exception {
    FlushedFilesOptions options = new FlushedFilesOptions(100, 1 << 20);
    try (FlushedFilesDirectory directory =
        new FlushedFilesDirectory(new MMapDirectory(temp), options)) {
      byte[] longest = write(directory, "longest", FLUSH, 100);
      byte[] longer = write(directory, "longer", FLUSH, 101);
      assertEquals(Set.of("longer"), onDisk());
      assertBytes(longest, directory, "longest");
      assertBytes(longer, directory, "longer");
      assertEquals(100, directory.snapshot().heldBytes());
    }
  }

  @Test
  void file_beyondTheRoomOfTheDirectory_goesToTheDisk() throws Exception {
    FlushedFilesOptions options = new FlushedFilesOptions(2 * BLOCK, 2 * BLOCK);
    try (FlushedFilesDirectory directory =
        new FlushedFilesDirectory(new MMapDirectory(temp), options)) {
      write(directory, "a", FLUSH, BLOCK);
      byte[] grown = write(directory, "grown", FLUSH, BLOCK + 1);
      assertEquals(Set.of("grown"), onDisk());
      assertBytes(grown, directory, "grown");
      write(directory, "b", FLUSH, BLOCK);
      write(directory, "none", FLUSH, 1);
      assertEquals(Set.of("grown", "none"), onDisk());
      directory.deleteFile("a");
      write(directory, "c", FLUSH, BLOCK);
      assertEquals(Set.of("grown", "none"), onDisk());
      assertEquals(new Snapshot(2 * BLOCK, 2, 0, 2, 1), directory.snapshot());
    }
  }

  @Test
  void file_withoutHeap_goesToTheDisk() throws Exception {
    ProcessMemory memory = Heaps.memory("things", 1 << 20, Heaps.ROOMY);
    HeldMemory.Allocator none =
        bytes -> {
          throw new OutOfMemoryError("test");
        };
    try (FlushedFilesDirectory directory =
        new FlushedFilesDirectory(
            new MMapDirectory(temp), FlushedFilesOptions.DEFAULT, memory, none)) {
      byte[] bytes = write(directory, "a", FLUSH, 10);
      assertEquals(Set.of("a"), onDisk());
      assertBytes(bytes, directory, "a");
    }
    assertEquals(0, memory.bytes());
  }

  @Test
  void heldFile_ofAClosedReader_isReleasedOnce() throws Exception {
    ProcessMemory memory = Heaps.memory("things", 1 << 20, Heaps.ROOMY);
    try (FlushedFilesDirectory directory =
        new FlushedFilesDirectory(
            new MMapDirectory(temp), FlushedFilesOptions.DEFAULT, memory, byte[]::new)) {
      byte[] bytes = write(directory, "a", FLUSH, 10_000);
      assertEquals(10_000, memory.bytes());
      try (IndexInput second = directory.openInput("a", IOContext.DEFAULT)) {
        try (IndexInput first = directory.openInput("a", IOContext.DEFAULT)) {
          directory.deleteFile("a");
          assertThrows(
              NoSuchFileException.class, () -> directory.openInput("a", IOContext.DEFAULT));
          assertThrows(NoSuchFileException.class, () -> directory.fileLength("a"));
          assertBytes(bytes, first);
        }
        assertEquals(10_000, memory.bytes());
        assertBytes(bytes, second);
      }
      assertEquals(0, memory.bytes());
      assertEquals(0, directory.listAll().length);
    }
  }

  /** All files of a minute at once would be a burst of writes, and then of fsyncs. */
  @Test
  void sync_ofManyFiles_writesAFewMegabytesBeforeItSyncsThem() throws Exception {
    int files = 24;
    int bytes = 700_000;
    List<List<String>> synced = new ArrayList<>();
    AtomicLong unsynced = new AtomicLong();
    AtomicLong most = new AtomicLong();
    Directory below =
        new FilterDirectory(new MMapDirectory(temp)) {
          @Override
          public IndexOutput createOutput(String name, IOContext context) throws IOException {
            most.accumulateAndGet(unsynced.addAndGet(bytes), Math::max);
            return super.createOutput(name, context);
          }

          @Override
          public void sync(Collection<String> names) throws IOException {
            synced.add(List.copyOf(names));
            unsynced.set(0);
            super.sync(names);
          }
        };
    List<String> names = IntStream.range(0, files).mapToObj(i -> "_" + i + ".cfs").toList();
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(below)) {
      for (String name : names) {
        try (IndexOutput output = directory.createOutput(name, FLUSH)) {
          output.writeBytes(new byte[bytes], bytes);
        }
      }
      assertEquals(files, directory.snapshot().heldFiles());
      directory.sync(names);

      assertEquals(0, directory.snapshot().heldFiles());
      assertEquals(names, synced.stream().flatMap(List::stream).toList());
      assertTrue(most.get() < 5_000_000, () -> "" + most);
      synced.clear();
      directory.sync(List.of());
      assertEquals(List.of(List.of()), synced);
    }
  }

  @Test
  void sync_onAFullDisk_keepsTheFileForAnotherTry() throws Exception {
    FullDisk disk = new FullDisk(new MMapDirectory(temp));
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(disk)) {
      byte[] bytes = write(directory, "a", FLUSH, 3 * BLOCK);
      disk.bytesLeft = BLOCK;
      assertThrows(IOException.class, () -> directory.sync(List.of("a")));
      assertEquals(Set.of(), onDisk());
      assertBytes(bytes, directory, "a");
      disk.bytesLeft = Long.MAX_VALUE;
      directory.sync(List.of("a"));
      assertEquals(Set.of("a"), onDisk());
      assertBytes(bytes, directory, "a");
    }
  }

  @Test
  void commit_onAFullDisk_losesNothingThatALaterOneCommits() throws Exception {
    FullDisk disk = new FullDisk(new MMapDirectory(temp));
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(disk);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      writer.addDocument(document(0));
      writer.commit();
      writer.addDocument(document(1));
      writer.flush();
      disk.bytesLeft = 100;
      assertThrows(IOException.class, writer::commit);
      assertTrue(writer.isOpen());
      disk.bytesLeft = Long.MAX_VALUE;
      writer.addDocument(document(2));
      writer.commit();
    }
    assertSound(3);
  }

  @Test
  void write_thatFailsOnItsWayToTheDisk_failsTheFile() throws Exception {
    FullDisk disk = new FullDisk(new MMapDirectory(temp));
    ProcessMemory memory = Heaps.memory("things", 1 << 20, Heaps.ROOMY);
    FlushedFilesOptions options = new FlushedFilesOptions(BLOCK, 1 << 20);
    try (FlushedFilesDirectory directory =
        new FlushedFilesDirectory(disk, options, memory, byte[]::new)) {
      disk.bytesLeft = 100;
      IndexOutput output = directory.createOutput("a", FLUSH);
      assertThrows(IOException.class, () -> output.writeBytes(bytes(2 * BLOCK), 2 * BLOCK));
      assertEquals(
          "an earlier write to a failed",
          assertThrows(IOException.class, output::getChecksum).getMessage());
      assertThrows(IOException.class, output::close);
      directory.deleteFile("a");

      disk.creates = false;
      IndexOutput never = directory.createOutput("b", FLUSH);
      assertThrows(IOException.class, () -> never.writeBytes(bytes(2 * BLOCK), 2 * BLOCK));
      assertThrows(IOException.class, never::close);
      assertEquals(0, directory.listAll().length);
      assertEquals(0, memory.bytes());
    }
  }

  @Test
  void create_ofANameThatIsThere_isRefusedOnBothSides() throws Exception {
    Files.write(temp.resolve("before"), new byte[1]);
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(new MMapDirectory(temp))) {
      write(directory, "held", FLUSH, 1);
      write(directory, "written", IOContext.DEFAULT, 1);
      for (String name : List.of("before", "held", "written")) {
        for (IOContext context : List.of(FLUSH, MERGE, IOContext.DEFAULT)) {
          assertThrows(
              FileAlreadyExistsException.class,
              () -> directory.createOutput(name, context),
              name + " " + context);
        }
      }
      assertThrows(FileAlreadyExistsException.class, () -> directory.rename("written", "held"));
      assertThrows(
          FileAlreadyExistsException.class,
          () -> directory.copyFrom(directory, "written", "held", IOContext.DEFAULT));
      Files.delete(temp.resolve("before")); // by another program
      write(directory, "before", FLUSH, 1);
      assertEquals(2, directory.snapshot().heldFiles());
    }
  }

  @Test
  void rename_ofAHeldFile_putsItOnTheDisk() throws Exception {
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(new MMapDirectory(temp))) {
      byte[] bytes = write(directory, "a", FLUSH, 100);
      directory.rename("a", "b");
      assertEquals(Set.of("b"), onDisk());
      assertBytes(bytes, directory, "b");
    }
  }

  @Test
  void renameOfACommit_syncsTheFolderIfItLacksNamesOfHeldFiles() throws Exception {
    assertFolderSyncs(1, directory -> directory.sync(List.of("_0.si")), () -> {});
  }

  @Test
  void renameOfACommit_afterASyncOfTheFolder_needsNoOther() throws Exception {
    assertFolderSyncs(
        1,
        directory -> {
          directory.sync(List.of("_0.si"));
          directory.syncMetaData();
        },
        () -> {});
  }

  /** That sync may have read the folder before the name was there. */
  @Test
  void renameOfACommit_afterNamesThatCameDuringASyncOfTheFolder_syncsItAgain() throws Exception {
    AtomicReference<Directory> above = new AtomicReference<>();
    assertFolderSyncs(
        2,
        directory -> {
          above.set(directory);
          directory.syncMetaData();
        },
        () -> above.get().sync(List.of("_0.si")));
  }

  @Test
  void renameOfACommit_afterAFailedSyncOfTheFolder_syncsItAgain() throws Exception {
    assertFolderSyncs(
        2,
        directory -> {
          directory.sync(List.of("_0.si"));
          assertThrows(IOException.class, directory::syncMetaData);
        },
        () -> {
          throw new IOException("the disk cannot sync the folder");
        });
  }

  /**
   * Commits a held file.
   *
   * @param expected how often the folder is synced by the time of the renaming
   * @param beforeTheRenaming syncs the file
   * @param inASync what happens in the first sync of the folder
   */
  private static void assertFolderSyncs(int expected, Use beforeTheRenaming, Action inASync)
      throws IOException {
    AtomicInteger syncs = new AtomicInteger();
    List<Boolean> lost = new ArrayList<>();
    AtomicReference<PosixDirectory> disk = new AtomicReference<>();
    disk.set(
        new PosixDirectory(
            (step, name) -> {
              if (step == PosixDirectory.Step.END_OF_SYNC_FOLDER && syncs.getAndIncrement() == 0) {
                inASync.run();
              }
              if (step == PosixDirectory.Step.RENAME) {
                lost.add(disk.get().mayLose(change -> change.name().equals("_0.si")));
              }
            }));
    try (Directory directory = new FlushedFilesDirectory(disk.get())) {
      write(directory, "_0.si", FLUSH, 100);
      write(directory, "pending_segments_1", IOContext.DEFAULT, 100);
      beforeTheRenaming.with(directory);
      directory.rename("pending_segments_1", "segments_1");
      assertEquals(List.of(false), lost);
      assertEquals(expected, syncs.get());
      directory.rename("segments_1", "pending_segments_2"); // nothing is owed any more
      directory.rename("pending_segments_2", "segments_2");
      assertEquals(expected, syncs.get());
    }
  }

  private interface Use {
    void with(Directory directory) throws IOException;
  }

  @Test
  void listAll_namesBothSidesInOrder() throws Exception {
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(new MMapDirectory(temp))) {
      write(directory, "b", IOContext.DEFAULT, 1);
      write(directory, "c", FLUSH, 1);
      write(directory, "a", FLUSH, 1);
      assertArrayEquals(new String[] {"a", "b", "c"}, directory.listAll());
    }
  }

  @Test
  void fileStillBeingWritten_cannotBeReadOrSynced() throws Exception {
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(new MMapDirectory(temp))) {
      try (IndexOutput output = directory.createOutput("a", FLUSH)) {
        output.writeInt(1);
        assertThrows(
            AccessDeniedException.class, () -> directory.openInput("a", IOContext.DEFAULT));
        assertThrows(AccessDeniedException.class, () -> directory.sync(List.of("a")));
        assertEquals(Set.of(), onDisk());
      }
      assertEquals(Integer.BYTES, directory.fileLength("a"));
    }
  }

  @Test
  void delete_whileItIsWritten_leavesNothing() throws Exception {
    ProcessMemory memory = Heaps.memory("things", 1 << 20, Heaps.ROOMY);
    FlushedFilesOptions options = new FlushedFilesOptions(BLOCK, 1 << 20);
    try (FlushedFilesDirectory directory =
        new FlushedFilesDirectory(new MMapDirectory(temp), options, memory, byte[]::new)) {
      IndexOutput small = directory.createOutput("small", FLUSH);
      directory.deleteFile("small");
      small.close();
      IndexOutput large = directory.createOutput("large", FLUSH);
      directory.deleteFile("large");
      assertThrows(NoSuchFileException.class, () -> large.writeBytes(bytes(2 * BLOCK), 2 * BLOCK));
      assertThrows(IOException.class, large::close);
      assertEquals(0, directory.listAll().length);
      assertEquals(Set.of(), onDisk());
      assertEquals(0, memory.bytes());
    }
  }

  @Test
  void delete_whileACommitWritesTheFile_comesAfterIt() throws Exception {
    CountDownLatch creating = new CountDownLatch(1);
    CountDownLatch mayCreate = new CountDownLatch(1);
    try (FlushedFilesDirectory directory =
            new FlushedFilesDirectory(standingStill(creating, mayCreate));
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      write(directory, "a", FLUSH, 100);
      AtomicReference<Thread> deleting = new AtomicReference<>();
      try {
        Future<?> sync = threads.submit(() -> run(() -> directory.sync(List.of("a"))));
        awaitLatch(creating);
        Future<?> delete =
            threads.submit(
                () -> {
                  deleting.set(Thread.currentThread());
                  run(() -> directory.deleteFile("a"));
                });
        while (deleting.get() == null || deleting.get().getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
        mayCreate.countDown();
        delete.get();
        IOException unsynced = null;
        try {
          sync.get();
        } catch (ExecutionException e) {
          unsynced = (IOException) e.getCause().getCause(); // it was deleted before its fsync
        }
        assertTrue(unsynced == null || unsynced instanceof NoSuchFileException);
      } finally {
        mayCreate.countDown();
      }
      assertEquals(Set.of(), onDisk());
      assertEquals(0, directory.listAll().length);
      assertEquals(0, directory.snapshot().heldBytes());
    }
  }

  @Test
  void close_dropsWhatNoSyncHasNamed_andReleasesItsRoom() throws Exception {
    ProcessMemory memory = Heaps.memory("things", 1 << 20, Heaps.ROOMY);
    FlushedFilesDirectory directory =
        new FlushedFilesDirectory(
            new MMapDirectory(temp), FlushedFilesOptions.DEFAULT, memory, byte[]::new);
    write(directory, "a", FLUSH, 100);
    IndexOutput unfinished = directory.createOutput("b", FLUSH);
    directory.close();
    unfinished.close();
    assertEquals(0, memory.bytes());
    assertEquals(Set.of(), onDisk());
    assertThrows(AlreadyClosedException.class, () -> directory.createOutput("c", FLUSH));
    assertEquals(0, memory.bytes());
  }

  /** A writer that failed may leave files in memory, whose names the next writer uses again. */
  @Test
  void close_afterAnotherWriterTookOver_leavesItsFilesAlone() throws Exception {
    try (FlushedFilesDirectory late = new FlushedFilesDirectory(new MMapDirectory(temp))) {
      write(late, "_5.cfs", FLUSH, 100);
      byte[] theirs = bytes(7);
      try (FlushedFilesDirectory next = new FlushedFilesDirectory(new MMapDirectory(temp))) {
        write(next, "_5.cfs", FLUSH, 7);
        next.sync(List.of("_5.cfs"));
      }
      assertThrows(FileAlreadyExistsException.class, () -> late.sync(List.of("_5.cfs")));
      assertArrayEquals(theirs, Files.readAllBytes(temp.resolve("_5.cfs")));
    }
    assertArrayEquals(bytes(7), Files.readAllBytes(temp.resolve("_5.cfs")));
  }

  /** Solr marks in this way what it syncs before it closes it, and then moves by path. */
  @Test
  void file_ofAFlushLargerThanAny_isOnTheDiskAtOnce() throws Exception {
    IOContext notCached = IOContext.flush(new FlushInfo(10_000_000, 100_000_000_000L));
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(new MMapDirectory(temp))) {
      try (IndexOutput output = directory.createOutput("index.properties.1", notCached)) {
        output.writeInt(7);
        directory.sync(List.of("index.properties.1"));
      }
      Files.move(temp.resolve("index.properties.1"), temp.resolve("index.properties"));
      assertEquals(Integer.BYTES, directory.fileLength("index.properties"));
    }
  }

  @Test
  void file_whoseHeapEnds_isWholeAndReleasesItsRoom() throws Exception {
    byte[] long2 = bytes(2 * BLOCK + 5);
    for (int failing = 1; failing <= 4; failing++) {
      ProcessMemory memory = Heaps.memory("things", 1 << 20, Heaps.ROOMY);
      AtomicInteger calls = new AtomicInteger(failing);
      HeldMemory.Allocator ends =
          bytes -> {
            if (calls.decrementAndGet() == 0) {
              throw new OutOfMemoryError("test");
            }
            return new byte[bytes];
          };
      try (FlushedFilesDirectory directory =
          new FlushedFilesDirectory(
              new MMapDirectory(temp), FlushedFilesOptions.DEFAULT, memory, ends)) {
        write(directory, "a" + failing, FLUSH, long2.length);
        assertBytes(long2, directory, "a" + failing);
        assertEquals(failing < 4, onDisk().contains("a" + failing));
        directory.deleteFile("a" + failing);
      }
      assertEquals(0, memory.bytes(), "call " + failing);
    }
  }

  @Test
  void reader_whileACommitWritesTheFile_doesNotWait() throws Exception {
    CountDownLatch creating = new CountDownLatch(1);
    CountDownLatch mayCreate = new CountDownLatch(1);
    try (FlushedFilesDirectory directory =
            new FlushedFilesDirectory(standingStill(creating, mayCreate));
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      byte[] bytes = write(directory, "a", FLUSH, 100);
      Future<?> sync = thread.submit(() -> run(() -> directory.sync(List.of("a"))));
      try {
        awaitLatch(creating);
        assertBytes(bytes, directory, "a"); // opens, reads and closes it
      } finally {
        mayCreate.countDown();
      }
      sync.get();
      assertEquals(Set.of("a"), onDisk());
    }
  }

  /** Soft deletes are updates of doc-values, which write files of a flush too. */
  @Test
  void crash_afterACommit_hasWhatWasCommitted(@TempDir Path crashed) throws Exception {
    Weir weir = Weir.builder().open(temp);
    IndexWriterConfig config = withoutMerges().setSoftDeletesField("soft");
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(config))) {
      for (int i = 0; i < 20; i++) {
        writer.softUpdateDocument(
            new Term("id", "" + i % 5), document(i % 5), new NumericDocValuesField("soft", 1));
        DirectoryReader.open(writer).close();
      }
      writer.commit();
      for (int i = 0; i < 5; i++) {
        writer.softUpdateDocument(
            new Term("id", "" + i), document(i), new NumericDocValuesField("soft", 1));
        writer.addDocument(document(100 + i));
        DirectoryReader.open(writer).close();
      }
      assertTrue(flushed(directory).snapshot().heldFiles() > 0);
      for (String name : onDisk()) {
        Files.copy(temp.resolve(name), crashed.resolve(name));
      }
      writer.rollback();
    }
    assertSound(temp, 5); // one version of each
    assertSound(crashed, 5);
  }

  @Test
  void off_holdsNothing() throws Exception {
    try (FlushedFilesDirectory directory =
        new FlushedFilesDirectory(new MMapDirectory(temp), FlushedFilesOptions.OFF)) {
      write(directory, "a", FLUSH, 1);
      assertEquals(Set.of("a"), onDisk());
    }
  }

  @Test
  void rollback_leavesTheCommittedFilesOnly() throws Exception {
    try (FlushedFilesDirectory directory = new FlushedFilesDirectory(new MMapDirectory(temp))) {
      IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
      writer.addDocument(document(0));
      writer.commit();
      Set<String> committed = onDisk();
      writer.addDocument(document(1));
      writer.flush();
      writer.rollback();
      assertEquals(committed, onDisk());
      assertEquals(0, directory.snapshot().heldFiles());
      assertEquals(0, directory.snapshot().heldBytes());
    }
    assertSound(1);
  }

  private Directory standingStill(CountDownLatch creating, CountDownLatch mayCreate)
      throws IOException {
    return new FilterDirectory(new MMapDirectory(temp)) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        creating.countDown();
        awaitLatch(mayCreate);
        return super.createOutput(name, context);
      }
    };
  }

  private static IndexWriterConfig withoutMerges() {
    return new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
  }

  private static FlushedFilesDirectory flushed(Directory directory) {
    return DirectoryPlan.find(directory, FlushedFilesDirectory.class).orElseThrow();
  }

  private Set<String> onDisk() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> !name.equals("write.lock"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private void assertSound(int docs) throws IOException {
    assertSound(temp, docs);
  }

  private static void assertSound(Path path, int docs) throws IOException {
    try (Directory directory = new MMapDirectory(path);
        CheckIndex check = new CheckIndex(directory);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertTrue(check.checkIndex().clean);
      assertEquals(docs, reader.numDocs());
    }
  }

  private static Document document(int id) {
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
    document.add(new TextField("text", "some words of document " + id, Field.Store.YES));
    return document;
  }

  private static byte[] write(Directory directory, String name, IOContext context, int length)
      throws IOException {
    byte[] bytes = bytes(length);
    try (IndexOutput output = directory.createOutput(name, context)) {
      output.writeBytes(bytes, length);
    }
    return bytes;
  }

  private static void write(IndexOutput output, byte[] bytes, boolean inPieces) throws IOException {
    if (!inPieces) {
      output.writeBytes(bytes, bytes.length);
      return;
    }
    int at = 0;
    while (bytes.length - at >= Long.BYTES + Integer.BYTES + Short.BYTES + 1) {
      output.writeLong((long) BitUtil.VH_LE_LONG.get(bytes, at));
      output.writeInt((int) BitUtil.VH_LE_INT.get(bytes, at + 8));
      output.writeShort((short) BitUtil.VH_LE_SHORT.get(bytes, at + 12));
      output.writeByte(bytes[at + 14]);
      at += 15;
    }
    output.writeBytes(bytes, at, bytes.length - at);
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static void assertBytes(byte[] expected, Directory directory, String name)
      throws IOException {
    assertEquals(expected.length, directory.fileLength(name));
    try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
      assertBytes(expected, input);
    }
  }

  private static void assertBytes(byte[] expected, IndexInput input) throws IOException {
    assertEquals(expected.length, input.length());
    byte[] read = new byte[expected.length];
    input.readBytes(read, 0, read.length);
    assertArrayEquals(expected, read);
  }

  private interface Action {
    void run() throws IOException;
  }

  private static void run(Action action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A disk on which only so many more bytes fit. */
  private static final class FullDisk extends FilterDirectory {

    private volatile long bytesLeft = Long.MAX_VALUE;
    private volatile boolean creates = true;

    FullDisk(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (!creates) {
        throw new IOException("No space left on device");
      }
      return new FilterIndexOutput("full", name, super.createOutput(name, context)) {
        @Override
        public void writeByte(byte b) throws IOException {
          take(1);
          super.writeByte(b);
        }

        @Override
        public void writeBytes(byte[] b, int offset, int length) throws IOException {
          take(length);
          super.writeBytes(b, offset, length);
        }

        private void take(long bytes) throws IOException {
          if (bytes > bytesLeft) {
            throw new IOException("No space left on device");
          }
          bytesLeft -= bytes;
        }
      };
    }
  }
}
