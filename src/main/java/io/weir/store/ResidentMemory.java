package io.weir.store;

import java.lang.System.Logger.Level;
import org.apache.lucene.util.Accountable;

/**
 * The heap of this process that Weir uses to hold files in memory. All directories share it, so its
 * limit holds for any number of indexes.
 *
 * <p>There are three instances: for key dictionaries, for small files, and for the files of
 * flushes. So large dictionaries never take the room of small files, which every reopen needs.
 * Files without room stay on the disk and are read as without Weir; the first case is logged.
 *
 * <p>A request is refused if it exceeds {@link #maxBytes}, or if less than a quarter of the maximum
 * heap would stay free for the application.
 *
 * <p><b>Threads:</b> any; nothing blocks.
 */
public final class ResidentMemory implements Accountable {

  private static final int PARTS_FOR_KEYS = 4;
  private static final int PARTS_FOR_SMALL_FILES = 16;
  private static final int PARTS_FOR_FLUSHED_FILES = 16;

  private static final ResidentMemory KEYS =
      new ResidentMemory("key dictionaries", PARTS_FOR_KEYS, HeapHeadroom.OF_THIS_JVM);
  private static final ResidentMemory SMALL_FILES =
      new ResidentMemory("small files", PARTS_FOR_SMALL_FILES, HeapHeadroom.OF_THIS_JVM);
  private static final ResidentMemory FLUSHED_FILES =
      new ResidentMemory("files of flushes", PARTS_FOR_FLUSHED_FILES, HeapHeadroom.OF_THIS_JVM);

  private final String contents;
  private final HeapHeadroom heap;
  private volatile long maxBytes;
  private volatile Runnable onMoreRoom = () -> {};

  // All guarded by this.
  private long bytes;
  private long peakBytes;
  private long refusals;
  private long reclaims;

  private ResidentMemory(String contents, int parts, HeapHeadroom heap) {
    this(contents, Runtime.getRuntime().maxMemory() / parts, heap);
  }

  /**
   * A memory apart from those of the process.
   *
   * @param contents describes its contents in messages
   */
  ResidentMemory(String contents, long maxBytes, HeapHeadroom heap) {
    this.contents = contents;
    this.maxBytes = maxBytes;
    this.heap = heap;
  }

  /** The memory for key dictionaries; the default limit is a quarter of the maximum heap. */
  public static ResidentMemory ofKeys() {
    return KEYS;
  }

  /** The memory for small files; the default limit is a sixteenth of the maximum heap. */
  public static ResidentMemory ofSmallFiles() {
    return SMALL_FILES;
  }

  /** The memory for files of flushes; the default limit is a sixteenth of the maximum heap. */
  public static ResidentMemory ofFlushedFiles() {
    return FLUSHED_FILES;
  }

  /** The limit. */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Sets the limit. After a lower limit, files beyond it stay until they are closed. After a higher
   * limit, waiting dictionaries get the additional room.
   *
   * @param newMaxBytes at least 0 bytes; 0 refuses all requests from now on
   */
  public void setMaxBytes(long newMaxBytes) {
    if (newMaxBytes < 0) {
      throw new IllegalArgumentException("maxBytes must be at least 0 bytes: " + newMaxBytes);
    }
    maxBytes = newMaxBytes;
    onMoreRoom.run();
  }

  /** The bytes that are held now. */
  @Override
  public synchronized long ramBytesUsed() {
    return bytes;
  }

  /** What is held now, and what was done so far. */
  public synchronized ResidentMemorySnapshot snapshot() {
    return new ResidentMemorySnapshot(bytes, peakBytes, maxBytes, refusals, reclaims);
  }

  /** Sets a listener that is called when there may be more room; it must be quick and not throw. */
  void onMoreRoom(Runnable listener) {
    onMoreRoom = listener;
  }

  /**
   * Reserves room; returns false and counts the refusal if there is none.
   *
   * @param what the name of the file, for the log
   */
  boolean reserve(String what, long newBytes) {
    String reason;
    boolean first;
    boolean heapAdmits = heap.admits(newBytes);
    synchronized (this) {
      if (heapAdmits && newBytes <= maxBytes - bytes) {
        bytes += newBytes;
        peakBytes = Math.max(peakBytes, bytes);
        return true;
      }
      first = refusals++ == 0;
      reason =
          heapAdmits
              ? "%d of at most %d bytes are in use".formatted(bytes, maxBytes)
              : "less than a quarter of the heap would stay free";
    }
    if (first) {
      StoreLog.log(
          Level.WARNING,
          "{0} is not held in memory: it needs {1} bytes more, and {2}. It is on the disk, which may be"
              + " slower. To hold more, enlarge the heap (-Xmx), or raise the limit for {3}"
              + " (ResidentMemory.setMaxBytes). This is logged once.",
          what,
          Long.toString(newBytes),
          reason,
          contents);
    }
    return false;
  }

  /** Whether the heap still has room for bytes that are reserved and will be allocated next. */
  boolean heapAdmits(long reservedBytes) {
    return heap.admits(reservedBytes);
  }

  /** Releases room. */
  void release(long heldBytes) {
    synchronized (this) {
      bytes -= heldBytes;
    }
    onMoreRoom.run();
  }

  /** Releases the room of files that the garbage collector has reclaimed. */
  void reclaimed(long heldBytes) {
    boolean first;
    synchronized (this) {
      bytes -= heldBytes;
      first = reclaims++ == 0;
    }
    if (first) {
      StoreLog.log(
          Level.WARNING,
          "the JVM was short of heap and has taken back memory of {0}, which are read from the disk"
              + " until there is room. To hold them, enlarge the heap (-Xmx). This is logged once.",
          contents);
    }
  }
}
