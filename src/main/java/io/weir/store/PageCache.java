package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The kernel's page cache, as far as it holds files of one's own: how much of a file is in it, and
 * letting go of a file. Nothing is asked of it for the machine as a whole, so no privilege is
 * needed.
 *
 * <p><b>Units:</b> bytes. <b>Threads:</b> any; a call may wait for the disk.
 */
public interface PageCache {

  /**
   * That of this machine, for files of {@code directory}.
   *
   * @throws UnsupportedOperationException with the reason, where nobody can tell what it holds
   */
  static PageCache of(Path directory) {
    String storeType = FileStoreKind.typeOf(directory);
    FileStoreKind kind = FileStoreKind.of(storeType);
    if (kind == FileStoreKind.PAST_THE_PAGE_CACHE) {
      throw new UnsupportedOperationException(kind.says(storeType));
    }
    return new KernelPageCache(ForeignLinuxCalls.get());
  }

  /** Why this JVM cannot ask the kernel; empty when nothing is known against it. */
  static Optional<String> unavailable() {
    return ForeignLinuxCalls.reasonAgainst();
  }

  /** Why files of {@code directory} cannot leave it; empty when nothing is known against it. */
  static Optional<String> obstacle(Path directory) {
    String storeType = FileStoreKind.typeOf(directory);
    FileStoreKind kind = FileStoreKind.of(storeType);
    return kind == FileStoreKind.ORDINARY ? Optional.empty() : Optional.of(kind.says(storeType));
  }

  /**
   * Writes what is dirty of a file to its disk and lets go of its pages: of all but those that
   * somebody has mapped and touched, or uses at this moment.
   */
  void drop(Path file) throws IOException;

  /**
   * How much of a file it holds, in pages that are whole: where blocks are smaller than pages, the
   * last page of a file is not, from when it is written until it was dropped and read again. The
   * kernel tells only whoever may write to the file.
   *
   * @throws java.nio.file.AccessDeniedException for a file of somebody else
   */
  long residentBytes(Path file) throws IOException;
}
