package io.weir.benchmark.kit;

import io.weir.procfs.BlockDevice;
import io.weir.procfs.Procfs;
import io.weir.store.KernelPageCache;
import io.weir.store.PageCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;

/** The disk of a directory, whose counters a benchmark reads while an index there is merged. */
public final class CountedDisk {

  private CountedDisk() {}

  /** The disk; empty for a directory without one. */
  public static Optional<BlockDevice> of(Path directory) throws IOException {
    return Procfs.SYSTEM.mountOf(directory.toRealPath()).flatMap(Procfs.SYSTEM::blockDevice);
  }

  /** Why nothing can be measured in a directory. */
  public static Optional<String> obstacle(Path directory) throws IOException {
    Optional<BlockDevice> device = of(directory);
    if (device.isEmpty() || Procfs.SYSTEM.queueMillis(device.get()).isEmpty()) {
      return Optional.of("--dir must be on a disk whose requests the kernel counts: " + directory);
    }
    return KernelPageCache.unavailable()
        .or(() -> KernelPageCache.obstacle(directory))
        .map(reason -> "files cannot be dropped from the page cache: " + reason);
  }

  /**
   * Drops an index from the page cache. Call it after the writer was opened: the kernel's
   * read-ahead may fetch all of a file by then. To close the writer's lock file a second time would
   * give up the lock.
   */
  public static void dropFromCache(Path index) throws IOException {
    PageCache cache = KernelPageCache.of(index);
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        if (!file.endsWith(IndexWriter.WRITE_LOCK_NAME)) {
          cache.drop(file);
        }
      }
    }
  }
}
