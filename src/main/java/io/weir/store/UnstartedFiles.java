package io.weir.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The finished files of merges that were too short to be smoothed, so that the kernel still has all
 * of their bytes in memory. One such file is no burden for the disk, and most are deleted soon,
 * because a compound file or a larger segment takes their place. But an engine may run dozens of
 * small merges within seconds. So when those of a {@link Disk} together exceed a limit, the write
 * of the oldest ones is started.
 *
 * <p><b>Threads:</b> any. No lock is held while a write is started. <b>Memory:</b> one entry for
 * each page of the limit, at most. <b>Failure:</b> none of its own.
 */
final class UnstartedFiles {

  /** Four ranges of {@link WritebackOptions#DEFAULT}. */
  private static final long MAX_BYTES = 4 << 20;

  /** What the shortest file takes in memory. */
  private static final long PAGE_BYTES = 4096;

  private record Key(Object directory, String name) {}

  private record File(long bytes, Runnable start) {}

  private final long maxBytes;

  // Guarded by this.
  private final Map<Key, File> files = new LinkedHashMap<>(); // the oldest first
  private long bytes;

  UnstartedFiles() {
    this(MAX_BYTES);
  }

  /** For files of at most so many bytes together, each in whole pages. */
  UnstartedFiles(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * A file is finished; starts the write of the oldest ones if they are too many.
   *
   * @param start starts the write of the file, and does not throw
   */
  void add(Object directory, String name, long length, Runnable start) {
    List<Runnable> starts = new ArrayList<>();
    synchronized (this) {
      remove(directory, name);
      long pages = Math.ceilDiv(length, PAGE_BYTES) * PAGE_BYTES;
      files.put(new Key(directory, name), new File(pages, start));
      bytes += pages;
      for (Iterator<File> oldest = files.values().iterator(); bytes > maxBytes; ) {
        File file = oldest.next();
        oldest.remove();
        bytes -= file.bytes();
        starts.add(file.start());
      }
    }
    starts.forEach(Runnable::run);
  }

  /** The file was deleted, renamed or synced. */
  synchronized void remove(Object directory, String name) {
    File file = files.remove(new Key(directory, name));
    bytes -= file == null ? 0 : file.bytes();
  }

  /** The directory is closed; the kernel writes its files. */
  synchronized void removeAll(Object directory) {
    files
        .entrySet()
        .removeIf(
            entry -> {
              boolean removed = entry.getKey().directory() == directory;
              bytes -= removed ? entry.getValue().bytes() : 0;
              return removed;
            });
  }
}
