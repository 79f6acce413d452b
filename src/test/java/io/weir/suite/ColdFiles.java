package io.weir.suite;

import static org.apache.lucene.index.IndexWriter.WRITE_LOCK_NAME;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.store.KernelPageCache;
import io.weir.store.PageCache;
import io.weir.stress.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files that are not in the page cache. */
public final class ColdFiles {

  private ColdFiles() {}

  /**
   * Drops all files below a directory from the page cache. A page in use is not dropped, so this
   * waits until few enough are left. Drop them when they are open: the kernel's read-ahead may
   * fetch all of a file by then. The test is skipped where dropping is impossible.
   *
   * @param mostLeft share of the bytes that may stay cached: pages that a process has mapped and
   *     touched do
   * @return the bytes of the files
   */
  public static long drop(Path directory, double mostLeft) throws IOException {
    assumeTrue(
        KernelPageCache.unavailable().isEmpty() && KernelPageCache.obstacle(directory).isEmpty(),
        "SKIPPED: files cannot be dropped from the page cache");
    PageCache cache = KernelPageCache.of(directory);
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      // Opening and closing a lock file would release the lock that this process has on it.
      files = all.filter(f -> Files.isRegularFile(f) && !f.endsWith(WRITE_LOCK_NAME)).toList();
    }
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    double most = mostLeft * bytes;
    Await.until(directory + " is not cached", () -> leftAfterDropping(cache, files) <= most);
    return bytes;
  }

  private static long leftAfterDropping(PageCache cache, List<Path> files) {
    try {
      long left = 0;
      for (Path file : files) {
        cache.drop(file);
        left += cache.residentBytes(file);
      }
      return left;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
