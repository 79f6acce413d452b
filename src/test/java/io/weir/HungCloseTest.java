package io.weir;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file whose close hangs, as on a dead network mount. Before, it held up the closes of all other
 * indexes of the process, 30 s each.
 */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HungCloseTest {

  /** Far below the time that a close waits for files of its own. */
  private static final Duration BOUND = Duration.ofSeconds(20);

  private static final String FILE = "_0.pos";

  @TempDir Path temp;

  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void goOn() {
    gate.countDown();
  }

  @Test
  void close_ofIndexesBesideOneWhoseFileHangs_waitsForNone() throws Exception {
    Directory sick = Weir.builder().open(new SickFiles(temp)).directory();
    openAndClose(sick);
    hanging.await();
    long startedNanos = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      try (Directory healthy = Weir.builder().open(temp.resolve("" + i)).directory()) {
        openAndClose(healthy);
      }
    }
    long nanos = System.nanoTime() - startedNanos;
    assertTrue(nanos < BOUND.toNanos(), "10 healthy indexes were closed in " + nanos / 1_000_000);
    gate.countDown();
    sick.close();
  }

  private static void openAndClose(Directory directory) throws IOException {
    try (IndexOutput output = directory.createOutput(FILE, IOContext.DEFAULT)) {
      output.writeBytes(new byte[100_000], 100_000);
    }
    directory.openInput(FILE, IOContext.DEFAULT).close();
  }

  /** Files whose close hangs. */
  private final class SickFiles extends FilterDirectory {

    SickFiles(Path path) throws IOException {
      super(new MMapDirectory(path));
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      return new FilterIndexInput(name, in.openInput(name, context)) {
        @Override
        public void close() throws IOException {
          hanging.countDown();
          try {
            gate.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          super.close();
        }
      };
    }
  }
}
