package io.weir.store;

import java.lang.System.Logger.Level;
import org.apache.lucene.util.Accountable;

/**
 * The heap of this process that Weir uses to hold what it could also read from the disk. All
 * directories share it, so its bound holds however many indexes are open.
 *
 * <p>There are two: one for the dictionaries of keys and one for small files. Large dictionaries
 * can then never take the room of small files, which every reopen needs. Whatever finds no room
 * stays on the disk and is read from there, as without Weir. That is logged the first time.
 *
 * <p>Room is refused beyond {@link #maxBytes}, and also where less than a quarter of the largest
 * heap would stay free for the application.
 *
 * <p><b>Threads:</b> any; nothing blocks.
 */
public final class ResidentMemory implements Accountable {

  private static final System.Logger LOGGER = System.getLogger(ResidentMemory.class.getName());

  private static final int PARTS_FOR_KEYS = 4;
  private static final int PARTS_FOR_SMALL_FILES = 16;

  private static final ResidentMemory KEYS =
      new ResidentMemory("key dictionaries", PARTS_FOR_KEYS, HeapHeadroom.OF_THIS_JVM);
  private static final ResidentMemory SMALL_FILES =
      new ResidentMemory("small files", PARTS_FOR_SMALL_FILES, HeapHeadroom.OF_THIS_JVM);

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
   * One apart from those of the process.
   *
   * @param contents what it holds, in words
   */
  ResidentMemory(String contents, long maxBytes, HeapHeadroom heap) {
    this.contents = contents;
    this.maxBytes = maxBytes;
    this.heap = heap;
  }

  /** Holds the dictionaries of keys, in at most a quarter of the largest heap by default. */
  public static ResidentMemory ofKeys() {
    return KEYS;
  }

  /** Holds small files, in at most a sixteenth of the largest heap by default. */
  public static ResidentMemory ofSmallFiles() {
    return SMALL_FILES;
  }

  /** The most bytes that are held. */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * Sets the bound. What is held beyond a lower one stays until it is closed; what waits for room
   * gets that of a higher one.
   *
   * @param newMaxBytes at least 0 bytes; 0 holds nothing from now on
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

  /** From now on called where there may be more room; must be short, and must not throw. */
  void onMoreRoom(Runnable listener) {
    onMoreRoom = listener;
  }

  /**
   * Takes room; false, and counted, when there is none.
   *
   * @param what for the log
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
      LOGGER.log(
          Level.WARNING,
          "{0} of {1} bytes stays on the disk, because {2}. It is read from there, which may be"
              + " slower, until there is room. To hold more, enlarge the heap (-Xmx), or raise the"
              + " bound for {3} (ResidentMemory.setMaxBytes). This is logged once.",
          what,
          Long.toString(newBytes),
          reason,
          contents);
    }
    return false;
  }

  /** Whether the heap still has room for bytes that were reserved and are allocated next. */
  boolean heapAdmits(long reservedBytes) {
    return heap.admits(reservedBytes);
  }

  /** Gives room back. */
  void release(long heldBytes) {
    synchronized (this) {
      bytes -= heldBytes;
    }
    onMoreRoom.run();
  }

  /** Gives room back that the collector has already taken. */
  void reclaimed(long heldBytes) {
    boolean first;
    synchronized (this) {
      bytes -= heldBytes;
      first = reclaims++ == 0;
    }
    if (first) {
      LOGGER.log(
          Level.WARNING,
          "the JVM was short of heap and has taken back memory of {0}, which are read from the disk"
              + " until there is room. To hold them, enlarge the heap (-Xmx). This is logged once.",
          contents);
    }
  }
}
