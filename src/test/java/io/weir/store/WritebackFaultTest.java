package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.fakes.CountingDirectory;
import io.weir.fakes.FaultyDirectory;
import io.weir.fakes.SteppedFileSystem;
import io.weir.rate.ByteBudget;
import io.weir.store.kernel.ErrnoException;
import io.weir.store.kernel.RecordingLinuxCalls;
import io.weir.store.pages.Forecast;
import io.weir.store.pages.NothingWanted;
import io.weir.store.writeback.WritebackMedium;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A fault of writeback fails no write. What fails one is a report that data was lost: the merge or
 * the copy ends, and its files are not published.
 *
 * <p>Seen with a disk that failed (ext4 on a loop device whose file could not grow, Linux 6.18): a
 * file of which a part could not be written fails Lucene's sync; after a wait by {@code
 * sync_file_range}, or an {@code fdatasync}, on another descriptor it passes.
 */
class WritebackFaultTest {

  private static final int UNIT = 65536;
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(10, 1000, false, 1));
  private static final WritebackOptions SMALL = WritebackOptions.DEFAULT.withRangeBytes(UNIT);

  /** Nothing that a merge writes stays in the page cache. */
  private static final Function<WritebackDirectory, WritebackDirectory.Forecasts> DROPPED =
      directory -> file -> Optional.of(new NothingWanted());

  private final Disk.UnstartedFiles leftAlone = new Disk.UnstartedFiles(Long.MAX_VALUE);
  private static final ResidentKeys KEYS = ResidentKeys.of("id");

  @TempDir Path temp;
  @TempDir Path built;

  private final RecordingLinuxCalls kernel = new RecordingLinuxCalls();
  private Weir weir; // the last that was opened

  /** Calls: open, start 0, start 1, await 0, drop 0, start 2, ... */
  @ParameterizedTest
  @CsvSource({
    "0, EMFILE, no",
    "0, EIO,    no",
    "1, EIO,    yes",
    "1, EPERM,  no",
    "3, EIO,    yes",
    "3, ENOSPC, yes",
    "3, ENOMEM, no",
    "3, EAGAIN, no",
    "3, EINVAL, no",
    "3, ENOSYS, no",
    "3, EINTR,  no",
    "4, EIO,    no",
    "5, EIO,    yes",
  })
  void write_afterAFaultOfOneCall_failsOnlyIfDataIsLost(int index, String error, String lost)
      throws Exception {
    try (WritebackDirectory directory = smoothing()) {
      kernel.failFrom(index, errno(error));
      if (lost.equals("yes")) {
        MergeAbortedException aborted =
            assertThrows(MergeAbortedException.class, () -> write(directory, "_1.fdt"));
        assertTrue(aborted.getMessage().contains("_1.fdt"), aborted.getMessage());
        assertTrue(aborted.getMessage().contains(error), aborted.getMessage());
        assertInstanceOf(WritebackMedium.LostWriteException.class, aborted.getCause());
      } else {
        write(directory, "_1.fdt");
        directory.sync(Set.of("_1.fdt"));
      }
      assertEquals(index + 1 + (index > 0 ? 1 : 0), kernel.calls().size(), "calls after the fault");
      assertEquals(0, kernel.openDescriptors());
      WritebackSnapshot snapshot = directory.snapshot();
      assertEquals(1, snapshot.faults());
      assertEquals(0, snapshot.inFlightRanges());
      assertEquals(lost.equals("yes") ? 1 : 0, snapshot.lostWrites());
      assertEquals(0, snapshot.lostFiles());
    }
  }

  @Test
  void close_thatFindsALoss_fails_withAllClosed() throws Exception {
    try (WritebackDirectory directory = smoothing()) {
      kernel.failFrom(6, ErrnoException.EIO); // the wait for all that is left, before it is dropped
      IndexOutput output = directory.createOutput("_1.fdt", MERGE);
      output.writeBytes(new byte[3 * UNIT], 3 * UNIT);
      assertEquals(1, kernel.openDescriptors());
      assertThrows(MergeAbortedException.class, output::close);
      assertEquals("await 1+2", kernel.calls().get(6));
      assertEquals(0, kernel.openDescriptors());
      output.close();
      assertEquals(3 * UNIT, directory.fileLength("_1.fdt"));
    }
  }

  /** Else the next write would find no room before the range that was lost, and so on for ever. */
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void write_afterALoss_stillPasses() throws Exception {
    try (WritebackDirectory directory = smoothing()) {
      kernel.failFrom(1, ErrnoException.EIO);
      try (IndexOutput output = directory.createOutput("_1.fdt", MERGE)) {
        assertThrows(
            MergeAbortedException.class, () -> output.writeBytes(new byte[2 * UNIT], 2 * UNIT));
        output.writeBytes(new byte[UNIT], UNIT);
      }
      assertEquals(3 * UNIT, directory.fileLength("_1.fdt"));
    }
  }

  /** Lucene goes on after the abort of a merge in its compound file, and publishes ruins. */
  @Test
  void segmentInfo_ofAMergeWhoseCompoundFileIsLost_isRefused() throws Exception {
    try (WritebackDirectory directory = smoothing()) {
      kernel.failAt(3, ErrnoException.EIO);
      write(directory, "_1.cfs");
      write(directory, "_2.cfs");
      assertEquals(1, directory.snapshot().lostWrites());
      directory.createOutput("_2.si", MERGE).close();
      MergeAbortedException aborted =
          assertThrows(
              MergeAbortedException.class, () -> directory.createOutput("_1.si", MERGE).close());
      assertTrue(aborted.getMessage().contains("_1.cfs"), aborted.getMessage());
      assertFalse(Arrays.asList(directory.listAll()).contains("_1.si"));
    }
  }

  @Test
  void segmentInfo_afterTheLostFileWasDeleted_isWritten() throws Exception {
    try (WritebackDirectory directory = smoothing()) {
      kernel.failAt(3, ErrnoException.EIO);
      write(directory, "_1.cfs");
      directory.deleteFile("_1.cfs");
      write(directory, "_1.cfs");
      directory.createOutput("_1.si", MERGE).close();
    }
  }

  @Test
  void copyFrom_thatLosesAPart_failsAndLeavesNoFile() throws Exception {
    IOContext flush = IOContext.flush(new FlushInfo(10, 1000));
    for (int call : new int[] {3, 8}) { // in a write, and in the close
      try (WritebackDirectory directory = smoothing();
          Directory source = new ByteBuffersDirectory()) {
        write(source, "_1.fdt");
        kernel.failAt(call, ErrnoException.ENOSPC);
        IOException failure =
            assertThrows(
                IOException.class, () -> directory.copyFrom(source, "_1.fdt", "_9.fdt", flush));
        assertEquals(IOException.class, failure.getClass());
        assertTrue(failure.getMessage().contains("_9.fdt"), failure.getMessage());
        assertEquals(0, kernel.openDescriptors());
        assertArrayEquals(new String[0], directory.listAll());
      }
    }
  }

  /** An error of the moment is not a lost write: every commit failed after one of them. */
  @Test
  @Timeout(120)
  void forceMerge_withAFaultThatIsNoLossAtAnyCall_mergesAndCommits() throws Exception {
    int faulty = 0;
    int[] errors = {ErrnoException.ENOMEM, ErrnoException.EAGAIN, ErrnoException.ENOSYS};
    for (int index = 0; faulty == index; index++) {
      build();
      try (WritebackDirectory smoothing = smoothing();
          Directory directory = facade(smoothing)) {
        kernel.failFrom(index, errors[index % errors.length]);
        try (IndexWriter writer =
            new IndexWriter(directory, weir.configure(compound().setCodec(KEYS.codec())))) {
          writer.forceMerge(1);
          for (int i = 0; i < 2; i++) {
            writer.addDocument(new Document());
            writer.commit();
          }
        }
        faulty += checked(smoothing).faults() > 0 ? 1 : 0;
        checkWhole(directory, 402, 3);
      }
      IOUtils.rm(temp.toAbsolutePath());
    }
    assertTrue(faulty > 10, "only " + faulty + " calls: the merge is too small to prove anything");
  }

  /** The kernel reports a lost write once, at each call in turn. */
  @Test
  @Timeout(120)
  void forceMerge_withALossAtAnyCall_isAbortedAndDoneAgain() throws Exception {
    int lost = 0;
    int faulty = 0;
    for (int index = 0; faulty == index; index++) {
      build();
      try (WritebackDirectory smoothing = smoothing();
          Directory directory = facade(smoothing)) {
        kernel.failAt(index, ErrnoException.EIO);
        try (IndexWriter writer =
            new IndexWriter(directory, weir.configure(compound().setCodec(KEYS.codec())))) {
          try {
            writer.forceMerge(1);
          } catch (IOException e) {
            assertInstanceOf(MergeAbortedException.class, e.getCause());
            lost++;
            assertEquals(1, smoothing.snapshot().lostWrites());
            writer.addDocument(new Document());
            writer.commit();
            checkCommitted(directory, 401, 5);
            writer.forceMerge(1);
          }
        }
        faulty += checked(smoothing).faults() > 0 || kernel.callAt(index).equals("close") ? 1 : 0;
        checkWhole(directory, smoothing.snapshot().lostWrites() > 0 ? 401 : 400, 1);
      }
      IOUtils.rm(temp.toAbsolutePath());
    }
    assertTrue(lost > 10, "only " + lost + " losses: the merge is too small to prove anything");
  }

  /** Without Weir's scheduler the writer itself deletes what is left, when it is closed. */
  @Test
  void forceMerge_withLucenesSchedulerAndALoss_failsAndTheWriterGoesOn() throws Exception {
    build();
    try (WritebackDirectory directory = smoothing()) {
      kernel.failAt(3, ErrnoException.ENOSPC);
      try (IndexWriter writer = new IndexWriter(directory, serial())) {
        IOException failure = assertThrows(IOException.class, () -> writer.forceMerge(1));
        assertInstanceOf(MergeAbortedException.class, failure.getCause());
        writer.commit();
      }
      Set<String> left = new TreeSet<>(List.of(directory.listAll()));
      left.removeAll(SegmentInfos.readLatestCommit(directory).files(true));
      assertEquals(Set.of(IndexWriter.WRITE_LOCK_NAME), left);
      checkWhole(directory, 400, 4);
    }
  }

  @Test
  void forceMerge_withoutAFault_sendsEveryByteOfItsLargeFiles() throws Exception {
    build();
    CountingDirectory disk = new CountingDirectory(FSDirectory.open(temp));
    try (WritebackDirectory directory =
        new WritebackDirectory(disk, SMALL, medium(), leftAlone, DROPPED, NanoClock.SYSTEM)) {
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
      long kept = snapshot.startedBytes() - snapshot.droppedBytes();
      assertEquals(0, kept % Forecast.ENDS_BYTES, "the end of each");
      assertTrue(snapshot.droppedBytes() > kept, snapshot.toString());
      checkWhole(directory, 400, 1);
    }
  }

  @Test
  void write_whenTheOutputBelowFails_closesTheDescriptorAndStartsNoMore() throws Exception {
    FSDirectory files = FSDirectory.open(temp);
    FaultyDirectory disk = new FaultyDirectory(files);
    try (WritebackDirectory directory =
        new WritebackDirectory(disk, SMALL, medium(), leftAlone, DROPPED, NanoClock.SYSTEM)) {
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
  void force_thatFails_isALossUnlessTheChannelWasClosed() throws Exception {
    for (IOException failure :
        List.of(new IOException("Input/output error"), new ClosedByInterruptException())) {
      Path file = Files.createTempFile(temp, "_1", ".fdt");
      try (WritebackMedium.ForcedFile forced =
          new WritebackMedium.ForcedFile(
              SteppedFileSystem.of(
                      temp,
                      (step, name) -> {
                        throw failure;
                      })
                  .resolve(file.getFileName().toString()))) {
        IOException thrown = assertThrows(IOException.class, () -> forced.await(0, UNIT));
        if (failure instanceof ClosedChannelException) {
          assertSame(failure, thrown);
        } else {
          assertInstanceOf(WritebackMedium.LostWriteException.class, thrown);
          assertSame(failure, thrown.getCause());
        }
      }
    }
  }

  @Test
  void force_onAnInterruptedThread_goesOnAndKeepsTheInterrupt() throws Exception {
    WritebackMedium forced = WritebackMedium.of(temp, "zfs", SMALL, () -> kernel);
    try (WritebackDirectory directory =
        new WritebackDirectory(
            FSDirectory.open(temp), SMALL, forced, leftAlone, NanoClock.SYSTEM)) {
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

  /** All that {@link Weir#directory} puts together, over a smoothing directory of this test's. */
  private Directory facade(WritebackDirectory smoothing) {
    ByteBudget budget = ByteBudget.unlimited();
    weir =
        Weir.builder()
            .budget(budget)
            .openAsIs(
                new PrefetchDirectory(
                    new ResidentDirectory(new RateLimitedDirectory(smoothing, budget), KEYS)));
    return weir.directory();
  }

  private WritebackSnapshot checked(WritebackDirectory directory) {
    assertEquals(0, kernel.openDescriptors());
    assertEquals(0, directory.snapshot().inFlightRanges());
    assertEquals(0, directory.snapshot().lostFiles());
    return directory.snapshot();
  }

  private WritebackMedium medium() {
    return WritebackMedium.of(temp, "any", SMALL, () -> kernel);
  }

  private WritebackDirectory smoothing() throws IOException {
    kernel.failFrom(Integer.MAX_VALUE, 0);
    WritebackDirectory directory =
        new WritebackDirectory(
            new MergeReadsDirectory(new SmallFilesDirectory(FSDirectory.open(temp))),
            SMALL,
            medium(),
            leftAlone,
            DROPPED,
            NanoClock.SYSTEM);
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
      case "ENOMEM" -> ErrnoException.ENOMEM;
      case "EAGAIN" -> ErrnoException.EAGAIN;
      case "EINVAL" -> ErrnoException.EINVAL;
      case "EMFILE" -> ErrnoException.EMFILE;
      case "ENOSPC" -> ErrnoException.ENOSPC;
      case "ENOSYS" -> ErrnoException.ENOSYS;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static IndexWriterConfig serial() {
    return new IndexWriterConfig().setMergeScheduler(new SerialMergeScheduler());
  }

  /** Merges only when asked to, and then into a compound file. */
  private static IndexWriterConfig compound() {
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setMergeFactor(100);
    policy.setNoCFSRatio(1);
    return new IndexWriterConfig().setMergePolicy(policy);
  }

  /** Four segments whose doc values are 100 kB each and cannot be compressed. */
  private void build() throws IOException {
    if (Files.notExists(built.resolve("segments_1"))) {
      IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      Random random = new Random(3);
      try (Directory directory = FSDirectory.open(built);
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
    Files.createDirectories(temp);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(built)) {
      for (Path file : files) {
        Files.copy(file, temp.resolve(file.getFileName()));
      }
    }
  }

  private static void checkWhole(Directory directory, int documents, int segments)
      throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean, Arrays.toString(directory.listAll()));
    }
    checkCommitted(directory, documents, segments);
  }

  private static void checkCommitted(Directory directory, int documents, int segments)
      throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(documents, reader.numDocs());
      assertEquals(segments, reader.leaves().size());
    }
  }
}
