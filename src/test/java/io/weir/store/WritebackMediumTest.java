package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.weir.store.kernel.ErrnoException;
import io.weir.store.kernel.LinuxCalls;
import io.weir.store.kernel.RecordingLinuxCalls;
import io.weir.store.writeback.FileWriteback;
import io.weir.store.writeback.WritebackMedium;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How writeback is done where, and the reason that is given. */
class WritebackMediumTest {

  private static final WritebackOptions OPTIONS = WritebackOptions.DEFAULT;

  @TempDir Path temp;

  private final RecordingLinuxCalls kernel = new RecordingLinuxCalls();

  @ParameterizedTest
  @CsvSource({
    "ext4,    SYNC_FILE_RANGE, sync_file_range answers",
    "xfs,     SYNC_FILE_RANGE, sync_file_range answers",
    "overlay, SYNC_FILE_RANGE, sync_file_range answers",
    "unknown, SYNC_FILE_RANGE, sync_file_range answers",
    "zfs,     FDATASYNC,       zfs keeps its data outside the page cache",
    "tmpfs,   NONE,            tmpfs keeps its files in memory",
    "ramfs,   NONE,            ramfs keeps its files in memory",
  })
  void of_eachTypeOfFileStore_isAsTheTableSays(
      String storeType, WritebackMethod method, String reason) {
    WritebackMedium medium = WritebackMedium.of(temp, storeType, OPTIONS, () -> kernel);
    assertEquals(method, medium.method());
    assertEquals(reason, medium.reason());
  }

  @Test
  void of_aKernelThatAnswers_asksTheDirectoryOnceAndLeavesNothing() throws Exception {
    WritebackMedium.of(temp, "ext4", OPTIONS, () -> kernel);
    assertEquals(List.of("open " + temp.getFileName(), "start 0+0", "close"), kernel.calls());
    try (var files = Files.list(temp)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void of_aKernelThatDoesNotKnowTheCall_isForce() {
    kernel.failFrom(1, ErrnoException.ENOSYS);
    WritebackMedium medium = WritebackMedium.of(temp, "ext4", OPTIONS, () -> kernel);
    assertEquals(WritebackMethod.FDATASYNC, medium.method());
    assertTrue(medium.reason().contains("ENOSYS, no such call"), medium.reason());
    assertEquals(0, kernel.openDescriptors());
  }

  @Test
  void of_anOlderJava_isForceWithItsReason() {
    Supplier<LinuxCalls> none =
        () -> {
          throw new UnsupportedOperationException("needs a newer Java");
        };
    WritebackMedium medium = WritebackMedium.of(temp, "ext4", OPTIONS, none);
    assertEquals(WritebackMethod.FDATASYNC, medium.method());
    assertEquals("needs a newer Java", medium.reason());
  }

  static Stream<Throwable> denials() {
    return Stream.of(
        new SecurityException("access denied"),
        new RuntimeException("not entitled"),
        new ExceptionInInitializerError("no such class"),
        new UnsatisfiedLinkError("no such function"));
  }

  @ParameterizedTest
  @MethodSource("denials")
  void of_aKernelThatIsDenied_isForceWithItsReason(Throwable denial) {
    WritebackMedium medium =
        WritebackMedium.of(
            temp,
            "ext4",
            OPTIONS,
            () -> {
              throw rethrown(denial);
            });
    assertEquals(WritebackMethod.FDATASYNC, medium.method());
    assertTrue(medium.reason().contains(denial.getMessage()), medium.reason());
  }

  private static RuntimeException rethrown(Throwable denial) {
    if (denial instanceof Error error) {
      throw error;
    }
    return (RuntimeException) denial;
  }

  @Test
  void notices_ofEachMethod_areTextsOnTheirOwn() {
    WritebackMedium force = WritebackMedium.of(temp, "zfs", OPTIONS, () -> kernel);
    assertEquals(
        "merge output is smoothed by FileChannel.force: "
            + "zfs keeps its data outside the page cache",
        WritebackMedium.MethodLog.text(force));
    WritebackMedium range = WritebackMedium.of(temp, "ext4", OPTIONS, () -> kernel);
    assertEquals(
        "merge output is smoothed by sync_file_range: sync_file_range answers",
        WritebackMedium.MethodLog.text(range));
    WritebackMedium none = WritebackMedium.of(temp, "tmpfs", OPTIONS, () -> kernel);
    assertEquals(
        "merge output is not smoothed: tmpfs keeps its files in memory",
        WritebackMedium.MethodLog.text(none));
  }

  @ParameterizedTest
  @CsvSource({"65536, 1, 4194304", "1048576, 3, 4194304", "4194304, 2, 12582912"})
  void of_force_writesAWindowAtOnceButNeverLittle(long range, int window, long forcedBytes) {
    WritebackOptions options = new WritebackOptions(range, window);
    WritebackMedium medium = WritebackMedium.of(temp, "zfs", options, () -> kernel);
    assertEquals(forcedBytes, medium.rangeBytes());
    assertEquals(0, medium.windowRanges());
  }

  @Test
  void of_aFileSystemInAnArchive_isForce() throws Exception {
    URI archive = URI.create("jar:" + temp.resolve("archive.zip").toUri());
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Path inside = zip.getPath("/index");
      WritebackMedium medium = WritebackMedium.of(inside, "zipfs", OPTIONS, () -> kernel);
      assertEquals(WritebackMethod.FDATASYNC, medium.method());
      assertEquals(List.of(), kernel.calls());
    }
  }

  @Test
  void of_aDirectoryInMemory_doesNothing() throws Exception {
    try (WritebackDirectory directory = new WritebackDirectory(new ByteBuffersDirectory())) {
      assertEquals(WritebackMethod.NONE, directory.method());
      assertEquals("not in a file system: ByteBuffersDirectory", directory.methodReason());
      assertPassesThrough(directory);
    }
  }

  @Test
  void of_optionsOff_doesNothing() throws Exception {
    try (WritebackDirectory directory =
        new WritebackDirectory(FSDirectory.open(temp), WritebackOptions.OFF)) {
      assertEquals(WritebackMethod.NONE, directory.method());
      assertEquals("switched off", directory.methodReason());
      assertPassesThrough(directory);
    }
  }

  @Test
  void of_aWrappedFileSystemDirectory_findsItsPath() throws Exception {
    try (FilterDirectory wrapped = new FilterDirectory(FSDirectory.open(temp)) {}) {
      WritebackMedium medium = WritebackMedium.of(wrapped, OPTIONS, () -> kernel);
      assertFalse(medium.reason().startsWith("not in a file system"), medium.reason());
      assertEquals(OPTIONS, new WritebackDirectory(wrapped).options());
    }
  }

  /** All of it for real: the machine's kernel and disk, as an application gets it. */
  @Test
  @EnabledOnOs(OS.LINUX)
  @EnabledForJreRange(minVersion = 22)
  void writebackDirectory_onThisMachine_writesByRangesAndReadsTheSame() throws Exception {
    String storeType = Files.getFileStore(temp).type();
    assumeFalse(Set.of("tmpfs", "zfs").contains(storeType), storeType);
    byte[] bytes = new byte[5 << 20];
    new Random(9).nextBytes(bytes);
    try (WritebackDirectory directory = new WritebackDirectory(FSDirectory.open(temp))) {
      assertEquals(WritebackMethod.SYNC_FILE_RANGE, directory.method(), directory.methodReason());
      IOContext merge = IOContext.merge(new MergeInfo(1, 1, false, 1));
      try (IndexOutput output = directory.createOutput("_1.fdt", merge)) {
        output.writeBytes(bytes, bytes.length);
      }
      directory.sync(Set.of("_1.fdt"));
      WritebackSnapshot snapshot = directory.snapshot();
      assertEquals(5, snapshot.startedRanges());
      assertEquals(bytes.length, snapshot.startedBytes());
      assertEquals(0, snapshot.faults());
      assertArrayEquals(bytes, Files.readAllBytes(temp.resolve("_1.fdt")));
    }
  }

  private static void assertPassesThrough(WritebackDirectory directory) throws IOException {
    IOContext merge = IOContext.merge(new MergeInfo(1, 1, false, 1));
    try (IndexOutput output = directory.createOutput("_1.fdt", merge)) {
      assertFalse(output instanceof FileWriteback.Output);
      output.writeBytes(new byte[5 << 20], 5 << 20);
    }
    assertEquals(new WritebackSnapshot(0, 0, 0, 0, 0, 0, 0, 0), directory.snapshot());
  }
}
