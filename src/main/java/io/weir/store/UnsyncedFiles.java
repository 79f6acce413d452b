package io.weir.store;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FileSwitchDirectory;
import org.apache.lucene.store.FilterDirectory;

/**
 * The files written through one directory that have not been synced yet, with the failures of their
 * syncs.
 *
 * <p>The kernel may report a lost write only once. A repeated commit opens the file again, so its
 * sync would succeed although data is lost. Therefore a file whose sync has failed continues to
 * fail here until it is deleted or written again.
 *
 * <p>Where no kernel is in between, such as in a directory on another machine, a sync that passes
 * has done all that was asked. There nothing is remembered.
 *
 * <p>A file is written only once. After a successful sync, a later failure does not concern its
 * data. The same holds for a file that existed before. Such failures are not remembered.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one entry per file written since the last
 * commit.
 *
 * <p>Source: Linux, {@code Documentation/filesystems/vfs.rst} (errors during writeback) and {@code
 * lib/errseq.c}.
 */
final class UnsyncedFiles {

  private final boolean remembers;
  private final Map<String, Optional<IOException>> failureByFile = new ConcurrentHashMap<>();

  /**
   * The files written through a directory.
   *
   * @param in the directory below
   */
  UnsyncedFiles(Directory in) {
    this.remembers = isInAFileSystem(in);
  }

  private static boolean isInAFileSystem(Directory directory) {
    Directory bottom = FilterDirectory.unwrap(directory);
    return bottom instanceof FSDirectory
        || bottom instanceof FileSwitchDirectory both
            && (isInAFileSystem(both.getPrimaryDir()) || isInAFileSystem(both.getSecondaryDir()));
  }

  /** The file is being written or rewritten. */
  void created(String name) {
    failureByFile.put(name, Optional.empty());
  }

  void renamed(String source, String dest) {
    Optional<IOException> failure = failureByFile.remove(source);
    failureByFile.put(dest, failure == null ? Optional.empty() : failure);
  }

  /** The file was deleted, or is entirely on the disk. */
  void forget(String name) {
    failureByFile.remove(name);
  }

  /** A sync of this file, without others, has failed. */
  void failed(String name, IOException failure) {
    if (remembers && concernsData(failure)) {
      failureByFile.computeIfPresent(
          name, (n, first) -> first.isPresent() ? first : Optional.of(failure));
    }
  }

  /** Fails if an earlier sync of one of these files failed. */
  void failIfFailed(Collection<String> names) throws IOException {
    for (String name : names) {
      Optional<IOException> failure = failureByFile.getOrDefault(name, Optional.empty());
      if (failure.isPresent()) {
        throw new IOException(
            "an earlier sync of "
                + name
                + " failed, so a part of it may not be on the disk: "
                + failure.get().getMessage(),
            failure.get());
      }
    }
  }

  /** The number of files whose sync fails. */
  int failedFiles() {
    return (int) failureByFile.values().stream().filter(Optional::isPresent).count();
  }

  /** A failed open and an interrupt, which closes the channel, do not concern the data. */
  private static boolean concernsData(IOException failure) {
    return !(failure instanceof FileSystemException
        || failure instanceof FileNotFoundException
        || failure instanceof ClosedChannelException
        || failure instanceof InterruptedIOException);
  }
}
