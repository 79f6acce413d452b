package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CountingDirectory;
import io.weir.fakes.FaultyDirectory;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A fault of writeback never fails a write and never hides that one failed.
 *
 * <p>Seen with a disk that failed (ext4 on a loop device whose file could not grow, Linux 6.18): a
 * file of which a part could not be written fails Lucene's sync; after a wait by {@code
 * sync_file_range}, or an {@code fdatasync}, on another descriptor it passes.
 */
class WritebackFaultTest {

  private static final int UNIT = 65536;
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(10, 1000, false, 1));
  private static final WritebackOptions SMALL =
      WritebackOptions.DEFAULT.withRangeBytes(UNIT).withDropWritten(DropWritten.ALWAYS);

  @TempDir Path temp;

  private final RecordingLinuxCalls kernel = new RecordingLinuxCalls();

  /** Calls: open, start 0, start 1, await 0, drop 0, start 2, ... */
  @ParameterizedTest
  @CsvSource({
    "0, EMFILE, no",
    "0, EIO,    no",
    "1, EIO,    yes",
    "1, EPERM,  no",
    "3, EIO,    yes",
    "3, ENOSPC, yes",
    "3, ENOMEM, yes",
    "3, ENOSYS, no",
    "3, EINTR,  no",
    "4, EIO,    no",
    "5, EIO,    yes",
  })
  void sync_afterAFaultOfOneCall_failsOnlyIfDataMayBeLost(int index, String error, String lost)
      throws Exception {
    try (WritebackDirectory directory = smoothing()) {
      kernel.failFrom(index, errno(error));
      write(directory, "_1.fdt");
      assertEquals(index + 1 + (index > 0 ? 1 : 0), kernel.calls().size(), "calls after the fault");
      assertEquals(0, kernel.openDescriptors());
      WritebackSnapshot snapshot = directory.snapshot();
      assertEquals(1, snapshot.faults());
      assertEquals(0, snapshot.inFlightRanges());
      assertEquals(lost.equals("yes") ? 1 : 0, snapshot.lostFiles());
      if (lost.equals("yes")) {
        assertThrows(IOException.class, () -> directory.sync(Set.of("_1.fdt")));
      } else {
        directory.sync(Set.of("_1.fdt"));
      }
    }
  }

  @Test
  void sync_ofALostFile_goesOnFailingUntilTheFileIsDeleted() throws Exception {
    try (WritebackDirectory directory = smoothing()) {
      kernel.failFrom(3, ErrnoException.EIO);
      write(directory, "_1.fdt");
      kernel.failFrom(Integer.MAX_VALUE, 0);
      write(directory, "_1.tim");
      directory.sync(Set.of("_1.tim"));
      for (int i = 0; i < 2; i++) {
        IOException failure =
            assertThrows(IOException.class, () -> directory.sync(List.of("_1.tim", "_1.fdt")));
        assertEquals(
            "a part of _1.fdt could not be written to disk while a merge wrote it",
            failure.getMessage());
        assertEquals(
            ErrnoException.EIO, ((ErrnoException) failure.getCause()).errno(), "the cause");
      }
      directory.rename("_1.fdt", "_2.fdt");
      assertThrows(IOException.class, () -> directory.sync(Set.of("_2.fdt")));
      directory.deleteFile("_2.fdt");
      write(directory, "_2.fdt");
      directory.sync(Set.of("_2.fdt"));
      assertEquals(0, directory.snapshot().lostFiles());
    }
  }

  @Test
  void commit_afterAMergeWhoseDataWasLost_failsAndTheLastCommitStands() throws Exception {
    build();
    try (WritebackDirectory directory = smoothing()) {
      IndexWriter writer = new IndexWriter(directory, serial().setCommitOnClose(false));
      kernel.failFrom(3, ErrnoException.EIO);
      writer.forceMerge(1);
      assertTrue(directory.snapshot().lostFiles() >= 1);
      assertThrows(IOException.class, writer::commit);
      writer.rollback();
      assertEquals(0, directory.snapshot().lostFiles(), "the merge's files are gone");
      checkWhole(directory, 4);
    }
  }

  @Test
  void forceMerge_withoutAFault_sendsEveryByteOfItsLargeFiles() throws Exception {
    build();
    CountingDirectory disk = new CountingDirectory(FSDirectory.open(temp));
    try (WritebackDirectory directory =
        new WritebackDirectory(disk, SMALL, medium(), NanoClock.SYSTEM)) {
      try (IndexWriter writer = new IndexWriter(directory, serial())) {
        writer.forceMerge(1);
        writer.commit();
      }
      long largeFilesBytes =
          disk.bytesByFile().values().stream()
              .filter(length -> length >= 2 * UNIT)
              .mapToLong(l -> l)
              .sum();
      assertTrue(largeFilesBytes > 400_000, "only " + largeFilesBytes + " bytes");
      WritebackSnapshot snapshot = directory.snapshot();
      assertEquals(largeFilesBytes, snapshot.startedBytes());
      assertEquals(largeFilesBytes, snapshot.droppedBytes());
      checkWhole(directory, 1);
    }
  }

  /** Each call in turn is the first of many that fail; the merge never notices. */
  @Test
  @Timeout(120)
  void forceMerge_withAFaultAtAnyCall_mergesAllTheSame() throws Exception {
    int faulty = 0;
    for (int index = 0; faulty == index; index++) {
      build();
      try (WritebackDirectory directory = smoothing()) {
        kernel.failFrom(index, ErrnoException.ENOSYS);
        try (IndexWriter writer = new IndexWriter(directory, serial())) {
          writer.forceMerge(1);
        }
        assertEquals(0, kernel.openDescriptors());
        assertEquals(0, directory.snapshot().inFlightRanges());
        faulty += directory.snapshot().faults() > 0 ? 1 : 0;
        checkWhole(directory, 1);
        for (String name : directory.listAll()) {
          directory.deleteFile(name);
        }
      }
    }
    assertTrue(faulty > 10, "only " + faulty + " calls: the merge is too small to prove anything");
  }

  @Test
  void write_whenTheOutputBelowFails_closesTheDescriptorAndStartsNoMore() throws Exception {
    FSDirectory files = FSDirectory.open(temp);
    FaultyDirectory disk = new FaultyDirectory(files);
    try (WritebackDirectory directory =
        new WritebackDirectory(disk, SMALL, medium(), NanoClock.SYSTEM)) {
      IndexOutput output = directory.createOutput("_1.fdt", MERGE);
      output.writeBytes(new byte[3 * UNIT], 3 * UNIT);
      List<String> before = kernel.calls();
      disk.failFrom(0);
      assertThrows(IOException.class, output::close);
      assertEquals("close", kernel.calls().get(before.size()));
      assertEquals(before.size() + 1, kernel.calls().size());
      assertEquals(0, directory.snapshot().inFlightRanges());
      output.close();
    }
  }

  @Test
  void force_thatFails_isNewsOfLossUnlessTheChannelWasClosed() {
    assertEquals(1, ledgerAfter(new IOException("Input/output error")).lostFiles());
    assertEquals(0, ledgerAfter(new ClosedChannelException()).lostFiles());
  }

  @Test
  void force_onAnInterruptedThread_goesOnAndKeepsTheInterrupt() throws Exception {
    WritebackMedium forced = WritebackMedium.of(temp, "zfs", SMALL, () -> kernel);
    try (WritebackDirectory directory =
        new WritebackDirectory(FSDirectory.open(temp), SMALL, forced, NanoClock.SYSTEM)) {
      assertEquals(WritebackMethod.FDATASYNC, directory.method());
      IndexOutput output = directory.createOutput("_1.fdt", MERGE);
      Thread.currentThread().interrupt();
      try {
        output.writeBytes(new byte[9 << 20], 9 << 20);
      } finally {
        assertTrue(Thread.interrupted(), "the interrupt was swallowed");
        output.close();
      }
      WritebackSnapshot snapshot = directory.snapshot();
      assertEquals(2, snapshot.startedRanges());
      assertEquals(8 << 20, snapshot.startedBytes());
      assertEquals(0, snapshot.faults());
      assertEquals(0, snapshot.inFlightRanges());
      assertEquals(9 << 20, directory.fileLength("_1.fdt"));
    }
  }

  private static WritebackSnapshot ledgerAfter(IOException failure) {
    WritebackLedger ledger = new WritebackLedger();
    WritebackFile failing =
        new WritebackFile() {
          @Override
          public void start(long offset, long bytes) {}

          @Override
          public void await(long offset, long bytes) throws IOException {
            throw failure;
          }

          @Override
          public long drop(long offset, long bytes) {
            return 0;
          }

          @Override
          public void close() throws IOException {
            throw new IOException("and a second fault of the same file");
          }
        };
    WritebackMedium medium =
        new WritebackMedium(WritebackMethod.FDATASYNC, "a test", UNIT, 0, name -> failing);
    FileWriteback writeback = new FileWriteback("_1.fdt", medium, false, ledger, NanoClock.SYSTEM);
    writeback.grownTo(5 * UNIT);
    writeback.finish(5 * UNIT);
    if (ledger.snapshot().lostFiles() > 0) {
      IOException sync = assertThrows(IOException.class, () -> ledger.failIfLost(Set.of("_1.fdt")));
      assertSame(failure, sync.getCause());
    } else {
      assertDoesNotThrow(() -> ledger.failIfLost(Set.of("_1.fdt")));
    }
    assertEquals(1, ledger.snapshot().faults());
    return ledger.snapshot();
  }

  private WritebackMedium medium() {
    return WritebackMedium.of(temp, "any", SMALL, () -> kernel);
  }

  private WritebackDirectory smoothing() throws IOException {
    kernel.failFrom(Integer.MAX_VALUE, 0);
    WritebackDirectory directory =
        new WritebackDirectory(FSDirectory.open(temp), SMALL, medium(), NanoClock.SYSTEM);
    kernel.clear();
    return directory;
  }

  private static void write(Directory directory, String name) throws IOException {
    try (IndexOutput output = directory.createOutput(name, MERGE)) {
      output.writeBytes(new byte[5 * UNIT], 5 * UNIT);
    }
  }

  private static int errno(String name) {
    return switch (name) {
      case "EPERM" -> ErrnoException.EPERM;
      case "EINTR" -> ErrnoException.EINTR;
      case "EIO" -> ErrnoException.EIO;
      case "ENOMEM" -> 12;
      case "EMFILE" -> ErrnoException.EMFILE;
      case "ENOSPC" -> ErrnoException.ENOSPC;
      case "ENOSYS" -> ErrnoException.ENOSYS;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static IndexWriterConfig serial() {
    return new IndexWriterConfig().setMergeScheduler(new SerialMergeScheduler());
  }

  /** Four segments whose doc values are 100 kB each and cannot be compressed. */
  private void build() throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    Random random = new Random(3);
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 400; i++) {
        byte[] value = new byte[1000];
        random.nextBytes(value);
        Document document = new Document();
        document.add(new BinaryDocValuesField("value", new BytesRef(value)));
        writer.addDocument(document);
        if (i % 100 == 99) {
          writer.flush();
        }
      }
    }
  }

  private static void checkWhole(Directory directory, int segments) throws IOException {
    try (CheckIndex check = new CheckIndex(directory);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertTrue(check.checkIndex().clean, Arrays.toString(directory.listAll()));
      assertEquals(400, reader.numDocs());
      assertEquals(segments, reader.leaves().size());
    }
  }
}
