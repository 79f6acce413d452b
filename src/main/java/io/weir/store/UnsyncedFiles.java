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

/**
 * The files that were written through one directory and are not known to be on the disk yet, and
 * how their sync failed.
 *
 * <p>A kernel may report a lost write only once. A commit that is tried again opens the file anew,
 * so its sync would pass although the data is gone. Therefore a file whose sync has failed goes on
 * failing here until it is deleted or written anew.
 *
 * <p>A file is written once. After one sync that passed, a later failure says nothing about its
 * data, and neither does one for a file that was there before: such a failure is not remembered.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one entry for each file written since the
 * last commit.
 *
 * <p>Source: Linux, {@code Documentation/filesystems/vfs.rst} (errors during writeback) and {@code
 * lib/errseq.c}.
 */
final class UnsyncedFiles {

  private final Map<String, Optional<IOException>> failureByFile = new ConcurrentHashMap<>();

  /** The file is being written, or written anew. */
  void created(String name) {
    failureByFile.put(name, Optional.empty());
  }

  void renamed(String source, String dest) {
    Optional<IOException> failure = failureByFile.remove(source);
    failureByFile.put(dest, failure == null ? Optional.empty() : failure);
  }

  /** The file is gone, or all of it is on the disk. */
  void forget(String name) {
    failureByFile.remove(name);
  }

  /** A sync of this file alone has failed. */
  void failed(String name, IOException failure) {
    if (tellsOfData(failure)) {
      failureByFile.computeIfPresent(
          name, (n, first) -> first.isPresent() ? first : Optional.of(failure));
    }
  }

  /** Fails as the sync of one of these files has failed before. */
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

  /** Files whose sync has failed, and fails. */
  int failedFiles() {
    return (int) failureByFile.values().stream().filter(Optional::isPresent).count();
  }

  /** Not of a file that could not be opened, and not of an interrupt, which closes the channel. */
  private static boolean tellsOfData(IOException failure) {
    return !(failure instanceof FileSystemException
        || failure instanceof FileNotFoundException
        || failure instanceof ClosedChannelException
        || failure instanceof InterruptedIOException);
  }
}
