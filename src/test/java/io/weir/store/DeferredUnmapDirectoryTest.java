package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.store.reads.UnmapQueue;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Constants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Deletions, which happen under a writer's lock: the name goes at once, the space later. */
@Timeout(60)
class DeferredUnmapDirectoryTest {

  private static final int LARGE = (int) DeferredUnmapDirectory.LARGE_BYTES;

  @TempDir private Path temp;

  /** Keeps the queue's thread from its work until it is opened. */
  private final CountDownLatch gate = new CountDownLatch(1);

  private DeferredUnmapDirectory directory;

  @BeforeEach
  void open() throws IOException {
    assumeFalse(Constants.WINDOWS, "Windows deletes no open files");
    UnmapQueue queue =
        new UnmapQueue(
            8,
            1,
            task -> {
              Thread thread =
                  new Thread(
                      () -> {
                        awaitGate();
                        task.run();
                      });
              thread.setDaemon(true);
              return thread;
            });
    directory = new DeferredUnmapDirectory(new MMapDirectory(temp), queue, Duration.ofSeconds(20));
  }

  @AfterEach
  void close() throws IOException {
    gate.countDown();
    if (directory != null) {
      directory.close();
    }
  }

  @Test
  void deleteFile_large_removesTheName_andLeavesTheSpaceToTheOtherThread() throws Exception {
    write("large", LARGE);

    directory.deleteFile("large");

    assertEquals(List.of(), List.of(directory.listAll()));
    assertEquals(1, directory.snapshot().pendingFiles());
    assertTrue(isHeld("large"), "its space was freed by the caller");
    write("large", 1); // the name is free
    gate.countDown();
    Await.until("it is freed", () -> directory.snapshot().pendingFiles() == 0);
    assertFalse(isHeld("large"));
    assertEquals(1, directory.fileLength("large"));
  }

  @Test
  void deleteFile_small_isFreedByTheCaller() throws Exception {
    write("small", LARGE - 1);

    directory.deleteFile("small");

    assertEquals(0, directory.snapshot().pendingFiles());
    assertFalse(isHeld("small"));
  }

  @Test
  void deleteFile_missing_failsAsBelow() {
    assertThrows(NoSuchFileException.class, () -> directory.deleteFile("missing"));
    assertEquals(0, directory.snapshot().pendingFiles());
  }

  @Test
  void close_withADeletedFile_waitsUntilItsSpaceIsFree() throws Exception {
    write("large", LARGE);
    directory.deleteFile("large");
    gate.countDown();

    directory.close();

    assertFalse(isHeld("large"));
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void write(String name, int bytes) throws IOException {
    try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
      output.writeBytes(new byte[bytes], bytes);
    }
  }

  /** Whether this process still holds the deleted file open. */
  private boolean isHeld(String name) throws IOException {
    Path open = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(open), "SKIPPED: looks at open files");
    String deleted = temp.toRealPath().resolve(name) + " (deleted)";
    try (Stream<Path> files = Files.list(open)) {
      return files.anyMatch(file -> leadsTo(file, deleted));
    }
  }

  private static boolean leadsTo(Path link, String target) {
    try {
      return Files.readSymbolicLink(link).toString().equals(target);
    } catch (IOException e) {
      return false; // it was closed in between
    }
  }
}
