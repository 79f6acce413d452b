package io.weir.store.writeback;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystemException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FileSwitchDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IORunnable;

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
 * <p><b>Threads:</b> any. A sync waits for one of the same file, because the kernel may report a
 * loss to either of them; the other one would pass. Nothing else blocks. <b>Memory:</b> one entry
 * per file written since the last commit.
 *
 * <p>Source: Linux, {@code Documentation/filesystems/vfs.rst} (errors during writeback) and {@code
 * lib/errseq.c}.
 */
public final class UnsyncedFiles {

  /** One writing of a file; its lock is held while that is synced. */
  private static final class Unsynced {
    private volatile IOException failure; // null until a sync fails
  }

  private final boolean remembers;
  private final Map<String, Unsynced> files = new ConcurrentHashMap<>();

  /**
   * The files written through a directory.
   *
   * @param in the directory below
   */
  public UnsyncedFiles(Directory in) {
    this.remembers = isInAFileSystem(in);
  }

  private static boolean isInAFileSystem(Directory directory) {
    Directory bottom = FilterDirectory.unwrap(directory);
    return bottom instanceof FSDirectory
        || bottom instanceof FileSwitchDirectory both
            && (isInAFileSystem(both.getPrimaryDir()) || isInAFileSystem(both.getSecondaryDir()));
  }

  /** The file is being written or rewritten. */
  public void created(String name) {
    files.put(name, new Unsynced());
  }

  /** The file has another name now, and replaces what had it. */
  public void renamed(String source, String dest) {
    Unsynced file = files.remove(source);
    files.put(dest, file == null ? new Unsynced() : file);
  }

  /** The file was deleted. */
  public void deleted(String name) {
    files.remove(name);
  }

  /**
   * Syncs a file, without others.
   *
   * @throws IOException if that fails, or if an earlier sync of what was written has failed
   */
  public void sync(String name, IORunnable sync) throws IOException {
    Unsynced file = files.get(name);
    if (file == null) {
      sync.run();
      return;
    }
    synchronized (file) {
      failIfFailed(name, file);
      try {
        sync.run();
      } catch (IOException e) {
        if (remembers && concernsData(e)) {
          file.failure = e;
        }
        throw e;
      }
      files.remove(name, file);
    }
  }

  /** Fails if an earlier sync of one of these files failed. */
  public void failIfFailed(Collection<String> names) throws IOException {
    for (String name : names) {
      Unsynced file = files.get(name);
      if (file != null) {
        failIfFailed(name, file);
      }
    }
  }

  private static void failIfFailed(String name, Unsynced file) throws IOException {
    IOException failure = file.failure;
    if (failure != null) {
      throw new IOException(
          "an earlier sync of "
              + name
              + " failed, so a part of it may not be on the disk: "
              + failure.getMessage(),
          failure);
    }
  }

  /** The number of files whose sync fails. */
  public int failedFiles() {
    return (int) files.values().stream().filter(file -> file.failure != null).count();
  }

  /** A failed open and an interrupt, which closes the channel, do not concern the data. */
  private static boolean concernsData(IOException failure) {
    return !(failure instanceof FileSystemException
        || failure instanceof FileNotFoundException
        || failure instanceof ClosedChannelException
        || failure instanceof InterruptedIOException);
  }
}
