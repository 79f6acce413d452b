package io.weir.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class IoFileTest {

  @TempDir Path root;

  @Test
  void read_again_tellsWhatTheFileSaysNow() throws IOException {
    write("proc/self/io", "rchar: 7\nread_bytes: 4096\nwrite_bytes: 8192\n");
    try (IoFile file = new Procfs(root).selfIoFile().orElseThrow()) {
      assertEquals(counters(4096, 8192), file.read());
      write("proc/self/io", "rchar: 7\nread_bytes: 8\nwrite_bytes: 1\n"); // shorter
      assertEquals(counters(8, 1), file.read());
      write("proc/self/io", "");
      assertEquals(new IoCounters(OptionalLong.empty(), OptionalLong.empty()), file.read());
    }
  }

  @Test
  void read_byAnInterruptedThread_stillReads() throws IOException {
    write("proc/self/task/7/io", "read_bytes: 5\nwrite_bytes: 6\n");
    try (IoFile file = new Procfs(root).threadIoFile(7).orElseThrow()) {
      Thread.currentThread().interrupt();
      try {
        assertEquals(counters(5, 6), file.read());
        assertEquals(counters(5, 6), file.read());
      } finally {
        assertTrue(Thread.interrupted(), "the interrupt was lost");
      }
    }
  }

  @Test
  void read_closed_fails() throws IOException {
    write("proc/self/io", "read_bytes: 5\n");
    IoFile file = new Procfs(root).selfIoFile().orElseThrow();
    file.close();
    assertThrows(IOException.class, file::read);
  }

  @Test
  void forbiddenOrMissing_isEmpty() {
    assertEquals(Optional.empty(), new Procfs(root).selfIoFile());
    assertEquals(Optional.empty(), new Procfs(root).threadIoFile(7));
  }

  /** The exception stands for any that a security policy may throw. */
  @Test
  void open_thatIsRefusedByARuntimeException_isEmptyWithTheReason() throws IOException {
    URI archive = URI.create("jar:" + root.resolve("archive.zip").toUri());
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Procfs procfs = new Procfs(zip.getPath("/"));
      assertEquals(Optional.empty(), procfs.selfIoFile());
      assertEquals(Optional.empty(), procfs.threadIoFile(7));
      String reason = procfs.denial().orElseThrow();
      assertTrue(reason.contains("UnsupportedOperationException"), reason);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void read_onThisMachine_agreesWithTheOtherWayToRead() throws IOException {
    try (IoFile file = Procfs.SYSTEM.selfIoFile().orElseThrow();
        IoFile thread =
            Procfs.SYSTEM.threadIoFile(Procfs.SYSTEM.threadNumber().orElseThrow()).orElseThrow()) {
      long before = Procfs.SYSTEM.selfIo().orElseThrow().readBytes().orElseThrow();
      long between = file.read().readBytes().orElseThrow();
      long after = Procfs.SYSTEM.selfIo().orElseThrow().readBytes().orElseThrow();

      assertTrue(before <= between && between <= after, before + " " + between + " " + after);
      assertTrue(thread.read().readBytes().orElseThrow() <= between);
    }
  }

  private static IoCounters counters(long readBytes, long writeBytes) {
    return new IoCounters(OptionalLong.of(readBytes), OptionalLong.of(writeBytes));
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
