package io.weir.store.held;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The segment infos, {@code .si} files of some hundred bytes, that were read or written while a
 * writer has the index. Until it gives up its lock, only it can delete or replace them.
 *
 * <p>Elasticsearch and OpenSearch read those of all segments at each commit, in {@code
 * CombinedDeletionPolicy.onCommit}. {@code IndexWriter.finishCommit} calls it while it holds the
 * writer's monitor, so refreshes wait for each file that the page cache no longer has. A merge that
 * reads gigabytes pushes out even files that were written seconds ago.
 *
 * <p><b>Threads:</b> any; nothing blocks on the disk.
 */
public final class HeldSegmentInfos {

  private final SmallFilesMemory memory;
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private Object writer; // null if there is none; guarded by this, as below
  private long removals;

  public HeldSegmentInfos(SmallFilesMemory memory) {
    this.memory = memory;
  }

  /** This writer has the index from now on. */
  public synchronized void lock(Object newWriter) {
    writer = newWriter;
  }

  /** This writer no longer has the index; no effect on the infos of a later one. */
  public synchronized void unlock(Object oldWriter) {
    if (writer == oldWriter) {
      close();
    }
  }

  /** The directory is closed. */
  public synchronized void close() {
    writer = null;
    files.keySet().forEach(this::remove);
  }

  /** The bytes of a file; null if they are not held. */
  public byte[] get(String name) {
    return files.get(name);
  }

  /** How many files were deleted or replaced so far, for {@link #addRead}. */
  public synchronized long removals() {
    return removals;
  }

  /** Holds a file that was read, unless one was deleted or replaced meanwhile: it may be this. */
  public synchronized void addRead(String name, byte[] bytes, long removalsBefore) {
    if (removals == removalsBefore) {
      add(name, bytes);
    }
  }

  /** Holds a file that was written, while a writer has the index and if there is room. */
  public synchronized void add(String name, byte[] bytes) {
    if (writer != null && !files.containsKey(name) && memory.reserve(name, bytes.length)) {
      files.put(name, bytes);
    }
  }

  /** Forgets a file that was deleted or replaced. */
  public synchronized void remove(String name) {
    removals++;
    byte[] bytes = files.remove(name);
    if (bytes != null) {
      memory.release(bytes.length);
    }
  }
}
