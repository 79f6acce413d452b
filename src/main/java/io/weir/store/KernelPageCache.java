package io.weir.store;

import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.FileStoreKind;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.kernel.LinuxCalls;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;

/**
 * {@link PageCache} by {@code posix_fadvise} and {@code mincore}.
 *
 * <p>Since Linux 5.2 {@code mincore} reports a file that the process may not write as entirely
 * cached, to hide what others read. Such a file is refused here.
 */
public final class KernelPageCache implements PageCache {

  private final LinuxCalls calls;
  private final long chunkBytes;

  /**
   * The page cache of this machine, for files of {@code directory}.
   *
   * @throws UnsupportedOperationException with the reason, if its contents cannot be determined
   */
  public static PageCache of(Path directory) {
    Objects.requireNonNull(directory, "directory");
    String storeType = FileStoreKind.typeOf(directory);
    FileStoreKind kind = FileStoreKind.of(storeType);
    if (kind == FileStoreKind.PAST_THE_PAGE_CACHE) {
      throw new UnsupportedOperationException(kind.describe(storeType));
    }
    return new KernelPageCache(ForeignLinuxCalls.get());
  }

  /** Why this JVM cannot call the kernel; empty if no reason is known. */
  public static Optional<String> unavailable() {
    return ForeignLinuxCalls.reasonAgainst();
  }

  /** Why files of {@code directory} cannot be dropped; empty if no reason is known. */
  public static Optional<String> obstacle(Path directory) {
    Objects.requireNonNull(directory, "directory");
    String storeType = FileStoreKind.typeOf(directory);
    FileStoreKind kind = FileStoreKind.of(storeType);
    return kind == FileStoreKind.ORDINARY
        ? Optional.empty()
        : Optional.of(kind.describe(storeType));
  }

  KernelPageCache(LinuxCalls calls) {
    this(calls, CachedPages.CHUNK_BYTES);
  }

  /**
   * @param chunkBytes a multiple of the page size
   */
  KernelPageCache(LinuxCalls calls, long chunkBytes) {
    this.calls = calls;
    this.chunkBytes = chunkBytes;
  }

  @Override
  public void drop(Path file) throws IOException {
    Objects.requireNonNull(file, "file");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.force(true); // because dirty pages cannot be dropped
    }
    int descriptor = calls.open(file);
    try {
      calls.dropRange(descriptor, 0, 0);
    } finally {
      calls.close(descriptor);
    }
  }

  @Override
  public long residentBytes(Path file) throws IOException {
    Objects.requireNonNull(file, "file");
    if (!Files.isWritable(file)) {
      throw new AccessDeniedException(
          file.toString(),
          null,
          "the kernel reports cached pages only to processes that may write to the file");
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return CachedPages.look(calls, channel, 0, channel.size(), chunkBytes).bytes();
    }
  }
}
