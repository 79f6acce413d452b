package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.weir.fakes.AutoClock;
import io.weir.rate.ByteBudget;
import io.weir.store.kernel.ErrnoException;
import io.weir.store.kernel.RecordingLinuxCalls;
import io.weir.store.pages.NothingWanted;
import io.weir.store.writeback.FileWriteback;
import io.weir.store.writeback.WritebackMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which ranges of which files are asked of the kernel, and when; each figure is in 64 KiB. */
class WritebackDirectoryTest {

  private static final int UNIT = 65536;
  private static final IOContext MERGE = IOContext.merge(new MergeInfo(10, 1000, false, 1));
  private static final IOContext FLUSH = IOContext.flush(new FlushInfo(10, 1000));
  private static final WritebackOptions SMALL = WritebackOptions.DEFAULT.withRangeBytes(UNIT);

  @TempDir Path temp;

  private final RecordingLinuxCalls kernel = new RecordingLinuxCalls();
  private final AutoClock clock = new AutoClock();
  private final Disk.UnstartedFiles unstarted = new Disk.UnstartedFiles(4 * UNIT);
  private byte[] bytes;

  @BeforeEach
  void fill() {
    bytes = new byte[6 * UNIT];
    new Random(5).nextBytes(bytes);
  }

  @Test
  void write_ofSixRanges_keepsOneOnItsWay() throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL)) {
      try (IndexOutput output = directory.createOutput("_1.fdt", MERGE)) {
        for (int done = 0; done < bytes.length; done += 4096) {
          output.writeBytes(bytes, done, 4096);
        }
        assertEquals(
            List.of(
                "open _1.fdt",
                "start 0+1",
                "start 1+1",
                "await 0+1",
                "start 2+1",
                "await 1+1",
                "start 3+1",
                "await 2+1",
                "start 4+1",
                "await 3+1"),
            kernel.calls());
        assertEquals(1, directory.snapshot().inFlightRanges());
      }
      // The last range, which the output still had a part of, goes with the close.
      assertEquals(List.of("start 5+1", "close"), kernel.calls().subList(10, 12));
      assertEquals(new WritebackSnapshot(6, 0, bytes.length, 0, 0, 0, 0, 0), directory.snapshot());
      assertArrayEquals(bytes, read(directory, "_1.fdt"));
    }
  }

  @Test
  void write_inOneCallWithAWiderWindow_isCutAtTheRanges() throws Exception {
    WritebackOptions options = SMALL.withRangeBytes(2 * UNIT).withWindowRanges(2);
    try (WritebackDirectory directory = smoothing(options)) {
      byte[] large = new byte[9 * UNIT + 100];
      try (IndexOutput output = directory.createOutput("_1.fdt", MERGE)) {
        output.writeBytes(large, 0, large.length);
        assertEquals(
            List.of(
                "open _1.fdt",
                "start 0+2",
                "start 2+2",
                "start 4+2",
                "await 0+2",
                "start 6+2",
                "await 2+2"),
            kernel.calls());
        assertEquals(2, directory.snapshot().inFlightRanges());
      }
      assertEquals(List.of("start 8+65636b", "close"), kernel.calls().subList(7, 9));
      assertEquals(0, directory.snapshot().inFlightRanges());
      assertEquals(large.length, directory.snapshot().startedBytes());
    }
  }

  /** What is asked for has been handed to the kernel: the fake refuses ranges it has not got. */
  @ParameterizedTest
  @ValueSource(strings = {"byte", "short", "int", "long", "copy", "bytes of 100"})
  void write_inEveryWay_startsTheSameRanges(String way) throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL);
        Directory source = new ByteBuffersDirectory()) {
      write(source, "source", bytes, IOContext.DEFAULT);
      try (IndexOutput output = directory.createOutput("_1.fdt", MERGE);
          IndexInput input = source.openInput("source", IOContext.READONCE)) {
        for (long left = bytes.length; left > 0; left = bytes.length - input.getFilePointer()) {
          switch (way) {
            case "byte" -> output.writeByte(input.readByte());
            case "short" -> output.writeShort(input.readShort());
            case "int" -> output.writeInt(input.readInt());
            case "long" -> output.writeLong(input.readLong());
            case "copy" -> output.copyBytes(input, left);
            default -> {
              byte[] piece = new byte[(int) Math.min(left, 100)];
              input.readBytes(piece, 0, piece.length);
              output.writeBytes(piece, piece.length);
            }
          }
        }
        assertEquals("await 3+1", kernel.calls().get(9));
        assertEquals(10, kernel.calls().size());
        assertEquals(bytes.length, output.getFilePointer());
      }
      assertArrayEquals(bytes, read(directory, "_1.fdt"));
    }
  }

  @Test
  void write_ofLessThanARange_asksNothing() throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL)) {
      write(directory, "_1.fdt", new byte[UNIT - 1], MERGE);
      assertEquals(List.of(), kernel.calls());
      assertEquals(0, directory.snapshot().startedRanges());
    }
  }

  /** A file that is a byte longer than a page takes two pages. */
  @Test
  void shortFiles_aboveTheLimit_areStartedFromTheOldestOn() throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL)) {
      write(directory, "_1.fdt", new byte[UNIT - 4095], MERGE);
      write(directory, "_2.fdt", new byte[UNIT], MERGE);
      write(directory, "_3.fdt", new byte[2 * UNIT], MERGE); // by a range, and not among them
      write(directory, "_4.fdt", new byte[2 * UNIT - 4096], MERGE); // a range, but its lag
      kernel.clear();
      write(directory, "_5.fdt", new byte[4096], MERGE);
      assertEquals(List.of(), kernel.calls());

      write(directory, "_6.fdt", new byte[1], MERGE);
      assertEquals(List.of("open _1.fdt", "start 0+61441b", "close"), kernel.calls());
      write(directory, "_7.fdt", new byte[UNIT + 1], MERGE);
      assertEquals(List.of("open _2.fdt", "start 0+1", "close"), kernel.calls().subList(3, 6));
      assertEquals(6, kernel.calls().size());
      assertEquals(0, directory.snapshot().inFlightRanges());
      assertEquals(2 * UNIT + UNIT - 4095 + UNIT, directory.snapshot().startedBytes());
    }
  }

  @Test
  void shortFiles_thatAreDeletedSyncedRenamedOrFlushed_areNotStarted() throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL)) {
      for (int i = 0; i < 10; i++) {
        write(directory, "_" + i + ".fdt", new byte[UNIT], MERGE);
        directory.deleteFile("_" + i + ".fdt");
        write(directory, "_" + i + ".fdx", new byte[UNIT], MERGE);
        directory.sync(List.of("_" + i + ".fdx"));
        write(directory, "_" + i + ".fdm", new byte[UNIT], MERGE);
        directory.rename("_" + i + ".fdm", "_" + i + ".moved");
        write(directory, "_" + i + ".nvd", new byte[UNIT], FLUSH);
        write(directory, "_" + i + ".nvm", new byte[0], MERGE);
      }
      assertEquals(List.of(), kernel.calls());
    }
  }

  /** Two indexes share the limit of the process; a closed one is left to the kernel. */
  @Test
  void shortFiles_ofTwoDirectories_countTogetherUntilOneIsClosed() throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL)) {
      try (WritebackDirectory other = smoothing(SMALL)) {
        write(directory, "_1.fdt", new byte[UNIT], MERGE);
        write(other, "_2.fdt", new byte[UNIT], MERGE);
        write(other, "_3.fdt", new byte[UNIT], MERGE);
        write(other, "_4.fdt", new byte[UNIT], MERGE);
        write(other, "_5.fdt", new byte[UNIT], MERGE);
        assertEquals(List.of("open _1.fdt", "start 0+1", "close"), kernel.calls());
        assertEquals(UNIT, directory.snapshot().startedBytes());
      }
      for (int i = 6; i < 10; i++) {
        write(directory, "_" + i + ".fdt", new byte[UNIT], MERGE);
      }
      assertEquals(3, kernel.calls().size());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {ErrnoException.EIO, ErrnoException.EMFILE, ErrnoException.ENOENT})
  void shortFile_whoseStartFails_failsNoWrite(int errno) throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL)) {
      for (int i = 0; i < 4; i++) {
        write(directory, "_" + i + ".fdt", new byte[UNIT], MERGE);
      }
      kernel.failAt(errno == ErrnoException.EIO ? 1 : 0, errno);
      write(directory, "_9.fdt", new byte[UNIT], MERGE);
      assertEquals(errno == ErrnoException.ENOENT ? 0 : 1, directory.snapshot().faults());
      assertEquals(0, directory.snapshot().lostWrites());
      assertEquals(0, kernel.openDescriptors());
      directory.sync(List.of("_0.fdt")); // says what the kernel has to say
    }
  }

  @Test
  void write_whereReadersWillNotLook_dropsEachRangeOnceItIsOnDisk() throws Exception {
    try (WritebackDirectory directory =
        smoothing(SMALL, file -> Optional.of(new NothingWanted()))) {
      write(directory, "_1.fdt", new byte[3 * UNIT + 10], MERGE);
      assertEquals(
          List.of(
              "open _1.fdt",
              "start 0+1",
              "start 1+1",
              "await 0+1",
              "drop 0+1",
              "start 2+1",
              "start 3+10b",
              "await 1+131082b",
              "drop 1+65546b",
              "close"),
          kernel.calls());
      assertEquals(2 * UNIT + 10, directory.snapshot().droppedBytes(), "all but its end");
      assertEquals(0, directory.snapshot().inFlightRanges());
    }
  }

  @Test
  void write_byDefault_dropsNothing() throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL)) {
      write(directory, "_1.fdt", bytes, IOContext.merge(new MergeInfo(10, 1L << 60, false, 2)));
      assertEquals(0, directory.snapshot().droppedBytes());
    }
  }

  @Test
  void write_whenTheDiskIsSlow_countsTheTime() throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL)) {
      kernel.onWait(() -> clock.advanceNanos(5_000_000));
      write(directory, "_1.fdt", bytes, MERGE);
      assertEquals(4 * 5_000_000, directory.snapshot().waitNanos());
    }
  }

  @Test
  void createOutput_ofWhatIsNoLastingFileOfAMerge_isNotWrapped() throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL)) {
      assertInstanceOf(FileWriteback.Output.class, create(directory, "_1.fdt", MERGE));
      assertFalse(create(directory, "_2.fdt", FLUSH) instanceof FileWriteback.Output);
      assertFalse(create(directory, "_1_1.liv", IOContext.DEFAULT) instanceof FileWriteback.Output);
      try (IndexOutput output = directory.createTempOutput("_1", "bkd", MERGE)) {
        assertFalse(output instanceof FileWriteback.Output);
      }
    }
  }

  @Test
  void copyFrom_ofAddIndexes_isSmoothedAndOfACommitNot() throws Exception {
    try (WritebackDirectory directory = smoothing(SMALL);
        Directory source = new ByteBuffersDirectory()) {
      write(source, "_1.fdt", bytes, IOContext.DEFAULT);
      directory.copyFrom(source, "_1.fdt", "_8.fdt", IOContext.DEFAULT);
      assertEquals(List.of(), kernel.calls());
      directory.copyFrom(source, "_1.fdt", "_9.fdt", FLUSH);
      assertEquals(bytes.length, directory.snapshot().startedBytes());
      assertArrayEquals(bytes, read(directory, "_9.fdt"));
    }
  }

  @Test
  void copyFrom_belowARateLimit_isSmoothedAndCharged() throws Exception {
    WritebackDirectory smoothing = smoothing(SMALL);
    ByteBudget budget = ByteBudget.unlimited();
    try (Directory directory = new RateLimitedDirectory(smoothing, budget);
        Directory source = new ByteBuffersDirectory()) {
      write(source, "_1.fdt", bytes, IOContext.DEFAULT);
      directory.copyFrom(source, "_1.fdt", "_9.fdt", FLUSH);
      assertEquals(bytes.length, smoothing.snapshot().startedBytes());
      assertEquals(bytes.length, budget.snapshot().grantedBytes());
      assertArrayEquals(bytes, read(directory, "_9.fdt"));
    }
  }

  /** The directory between has no hand in what is written, but hid the one below. */
  @Test
  void copyFrom_belowARateLimitAndResidentKeys_isSmoothed() throws Exception {
    WritebackDirectory smoothing = smoothing(SMALL);
    Directory resident = new ResidentDirectory(smoothing, ResidentKeys.of("id"));
    try (Directory directory = new RateLimitedDirectory(resident, ByteBudget.unlimited());
        Directory source = new ByteBuffersDirectory()) {
      write(source, "_1.fdt", bytes, IOContext.DEFAULT);
      directory.copyFrom(source, "_1.fdt", "_9.fdt", FLUSH);
      assertEquals(bytes.length, smoothing.snapshot().startedBytes());
      assertArrayEquals(bytes, read(directory, "_9.fdt"));
    }
  }

  private WritebackDirectory smoothing(WritebackOptions options) throws IOException {
    return smoothing(options, file -> Optional.empty());
  }

  private WritebackDirectory smoothing(
      WritebackOptions options, WritebackDirectory.Forecasts forecasts) throws IOException {
    WritebackMedium medium = WritebackMedium.of(temp, "any", options, () -> kernel);
    WritebackDirectory directory =
        new WritebackDirectory(
            FSDirectory.open(temp), options, medium, unstarted, d -> forecasts, clock);
    assertEquals(WritebackMethod.SYNC_FILE_RANGE, directory.method(), directory.methodReason());
    kernel.clear();
    return directory;
  }

  private static IndexOutput create(Directory directory, String name, IOContext context)
      throws IOException {
    try (IndexOutput output = directory.createOutput(name, context)) {
      return output;
    }
  }

  private static void write(Directory directory, String name, byte[] bytes, IOContext context)
      throws IOException {
    try (IndexOutput output = directory.createOutput(name, context)) {
      output.writeBytes(bytes, bytes.length);
    }
  }

  private static byte[] read(Directory directory, String name) throws IOException {
    try (IndexInput input = directory.openInput(name, IOContext.READONCE)) {
      byte[] bytes = new byte[(int) input.length()];
      input.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }
}
