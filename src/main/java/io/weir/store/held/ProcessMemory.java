package io.weir.store.held;

import io.weir.store.ResidentMemorySnapshot;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * The heap of this process that Weir uses to hold one kind of files in memory. All directories
 * share it, so its limit holds for any number of indexes. An application sees it as a {@link
 * io.weir.store.ResidentMemory}.
 *
 * <p>There are three instances: for key dictionaries, for small files, and for the files of
 * flushes. So large dictionaries never take the room of small files, which every reopen needs.
 * Files without room stay on the disk and are read as without Weir; the first case is logged.
 *
 * <p>A request is refused if it exceeds {@link #maxBytes}, or if less than a quarter of the maximum
 * heap would stay free for the application.
 *
 * <p>Bytes that were read for nothing, because the JVM reclaimed them soon, make the process wait
 * before it reads dictionaries again: {@link #BACKOFF_PER_MEBIBYTE} for each MiB, at most {@link
 * #LONGEST_BACKOFF}. A higher limit, or much more room in the heap, ends the wait.
 *
 * <p><b>Threads:</b> any; nothing blocks.
 */
public final class ProcessMemory {

  private static final int PARTS_FOR_KEYS = 4;
  private static final int PARTS_FOR_SMALL_FILES = 16;
  private static final int PARTS_FOR_FLUSHED_FILES = 16;

  /** The wait for each MiB that was read for nothing. */
  static final Duration BACKOFF_PER_MEBIBYTE = Duration.ofSeconds(4);

  /** The longest wait after bytes were read for nothing. */
  static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);

  /** So much more of the heap, as a part of it, ends the wait. */
  private static final int PARTS_FOR_NEWS = 8;

  /** For key dictionaries: by default a quarter of the maximum heap. */
  public static final ProcessMemory KEYS =
      new ProcessMemory("key dictionaries", PARTS_FOR_KEYS, HeapHeadroom.OF_THIS_JVM);

  /** For small files: by default a sixteenth of the maximum heap. */
  public static final ProcessMemory SMALL_FILES =
      new ProcessMemory("small files", PARTS_FOR_SMALL_FILES, HeapHeadroom.OF_THIS_JVM);

  /** For the files of flushes: by default a sixteenth of the maximum heap. */
  public static final ProcessMemory FLUSHED_FILES =
      new ProcessMemory("files of flushes", PARTS_FOR_FLUSHED_FILES, HeapHeadroom.OF_THIS_JVM);

  private final String contents;
  private final HeapHeadroom heap;
  private final NanoClock clock;
  private final OnceLog refusal = new OnceLog(ProcessMemory.class);
  private final OnceLog reclaim = new OnceLog(ProcessMemory.class);
  private volatile long maxBytes;
  private volatile Runnable onMoreRoom = () -> {};

  // All guarded by this.
  private long bytes;
  private long peakBytes;
  private long refusals;
  private long reclaims;
  private long wastedBytes;
  private long unpaidBytes; // wasted, and not made up for by a copy that was held for long
  private boolean backingOff;
  private long backoffEndNanos;
  private long heapRoomAtWasteBytes;

  private ProcessMemory(String contents, int parts, HeapHeadroom heap) {
    this(contents, Runtime.getRuntime().maxMemory() / parts, heap, NanoClock.SYSTEM);
  }

  /**
   * A memory apart from those of the process.
   *
   * @param contents describes its contents in messages
   */
  ProcessMemory(String contents, long maxBytes, HeapHeadroom heap, NanoClock clock) {
    this.contents = contents;
    this.maxBytes = maxBytes;
    this.heap = heap;
    this.clock = clock;
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
    synchronized (this) {
      if (newMaxBytes > maxBytes) {
        backingOff = false;
        unpaidBytes = 0;
      }
      maxBytes = newMaxBytes;
    }
    onMoreRoom.run();
  }

  /** The bytes that are held now. */
  public synchronized long bytes() {
    return bytes;
  }

  /** What is held now, and what was done so far. */
  public synchronized ResidentMemorySnapshot snapshot() {
    long leftNanos = backingOff ? Math.max(0, backoffEndNanos - clock.nanoTime()) : 0;
    return new ResidentMemorySnapshot(
        bytes, peakBytes, maxBytes, refusals, reclaims, wastedBytes, Duration.ofNanos(leftNanos));
  }

  /** Sets a listener that is called when there may be more room; it must be quick and not throw. */
  public void onMoreRoom(Runnable listener) {
    onMoreRoom = listener;
  }

  /** The most that can ever be reserved at once. */
  public long possibleBytes() {
    return Math.min(maxBytes, heap.usableBytes());
  }

  /**
   * Room for another reservation now; negative while the process waits after a waste, or if the
   * heap has not even room for what is reserved and not allocated yet.
   */
  public long roomBytes() {
    long heapRoom = heap.roomBytes();
    synchronized (this) {
      return isBackingOff(heapRoom) ? -1 : Math.min(maxBytes - bytes, heapRoom);
    }
  }

  private boolean isBackingOff(long heapRoom) {
    backingOff &=
        clock.nanoTime() - backoffEndNanos < 0
            && heapRoom < heapRoomAtWasteBytes + heap.usableBytes() / PARTS_FOR_NEWS;
    return backingOff;
  }

  /**
   * Reserves room for bytes that are allocated at once; returns false and counts the refusal if
   * there is none. {@link #release} releases it.
   *
   * @param what the name of the file, for the log
   */
  public boolean reserve(String what, long newBytes) {
    if (!admit(what, newBytes, heap.admits(newBytes))) {
      return false;
    }
    heap.promise(newBytes);
    heap.fill(newBytes);
    return true;
  }

  /** Releases room that {@link #reserve} has reserved. */
  public void release(long heldBytes) {
    heap.drop(0, heldBytes);
    synchronized (this) {
      bytes -= heldBytes;
    }
    onMoreRoom.run();
  }

  /**
   * Reserves room for bytes that are allocated one after the other. Returns null and counts the
   * refusal if there is none; returns null while the process waits after a waste.
   *
   * @param what as for {@link #reserve}
   */
  public Reservation reservation(String what, long newBytes) {
    if (newBytes > 0) {
      long heapRoom = heap.roomBytes();
      boolean isTime;
      synchronized (this) {
        isTime = !isBackingOff(heapRoom);
      }
      if (!isTime || !admit(what, newBytes, newBytes <= heapRoom)) {
        return null;
      }
    }
    heap.promise(newBytes);
    return new Reservation(newBytes);
  }

  private boolean admit(String what, long newBytes, boolean heapAdmits) {
    String reason;
    synchronized (this) {
      if (heapAdmits && newBytes <= maxBytes - bytes) {
        bytes += newBytes;
        peakBytes = Math.max(peakBytes, bytes);
        return true;
      }
      refusals++;
      reason =
          heapAdmits
              ? "%d of at most %d bytes are in use".formatted(bytes, maxBytes)
              : "less than a quarter of the heap would stay free";
    }
    refusal.log(
        Level.WARNING,
        ("%s is not held in memory: it needs %d bytes more, and %s. It is on the disk, which may be"
                + " slower. To hold more, enlarge the heap (-Xmx), or raise the limit for %s"
                + " (ResidentMemory.setMaxBytes). This is logged once.")
            .formatted(what, newBytes, reason, contents));
    return false;
  }

  /**
   * Room for the copy of one dictionary. Its owner is who reserved it, and ends it once: further
   * calls do nothing, so a thread that reads may be late.
   */
  public final class Reservation {

    // All guarded by the memory.
    private long promisedBytes;
    private long filledBytes;
    private boolean ended;
    private long filledNanos; // when the last byte was

    private Reservation(long promisedBytes) {
      this.promisedBytes = promisedBytes;
    }

    /** Whether the heap still has room for what is reserved. */
    public boolean isAdmitted() {
      return heap.roomBytes() >= 0;
    }

    /** Some of it is allocated now. */
    public void fill(long newBytes) {
      synchronized (ProcessMemory.this) {
        if (!ended) {
          promisedBytes -= newBytes;
          filledBytes += newBytes;
          filledNanos = clock.nanoTime();
          heap.fill(newBytes);
        }
      }
    }

    /** Releases the room. */
    public void release() {
      synchronized (ProcessMemory.this) {
        if (ended) {
          return;
        }
        ended = true;
        heap.drop(promisedBytes, filledBytes);
        bytes -= promisedBytes + filledBytes;
      }
      onMoreRoom.run();
    }

    /**
     * Releases the room of a copy that the garbage collector has reclaimed.
     *
     * @return the bytes that were read for nothing; 0 if the copy was held so long that it was
     *     worth to read it
     */
    public long reclaimed() {
      long wasted;
      synchronized (ProcessMemory.this) {
        if (ended) {
          return 0;
        }
        ended = true;
        heap.drop(promisedBytes, 0);
        heap.reclaimed(filledBytes);
        bytes -= promisedBytes + filledBytes;
        reclaims++;
        boolean worth =
            promisedBytes == 0 && clock.nanoTime() - filledNanos >= backoffNanos(filledBytes);
        wasted = worth ? 0 : filledBytes;
        if (worth) {
          unpaidBytes = 0;
        }
      }
      waste(wasted);
      reclaim.log(
          Level.WARNING,
          ("the JVM was short of heap and has taken back memory of %s, which are read from the disk"
                  + " until there is room. To hold them, enlarge the heap (-Xmx). This is logged"
                  + " once.")
              .formatted(contents));
      onMoreRoom.run();
      return wasted;
    }

    /**
     * Releases the room of a copy that is given up because the heap has no room for the rest.
     *
     * @return the bytes that were read for nothing
     */
    public long giveUp() {
      long wasted;
      synchronized (ProcessMemory.this) {
        wasted = ended ? 0 : filledBytes;
      }
      release();
      waste(wasted);
      return wasted;
    }
  }

  /** The next dictionaries are read later, the more so the more was read for nothing. */
  private void waste(long newBytes) {
    if (newBytes == 0) {
      return;
    }
    long heapRoom = heap.roomBytes();
    synchronized (this) {
      wastedBytes += newBytes;
      unpaidBytes += newBytes;
      backingOff = true;
      backoffEndNanos = clock.nanoTime() + backoffNanos(unpaidBytes);
      heapRoomAtWasteBytes = Math.max(0, heapRoom);
    }
  }

  private static long backoffNanos(long wastedBytes) {
    double mebibytes = (double) wastedBytes / (1 << 20);
    return (long) Math.min(LONGEST_BACKOFF.toNanos(), mebibytes * BACKOFF_PER_MEBIBYTE.toNanos());
  }
}
