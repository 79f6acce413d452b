package io.weir.store.keys;

import io.weir.lucene.FileRange;
import io.weir.store.ResidentKeys;
import io.weir.store.ResidentSnapshot;
import io.weir.store.held.HeldMemory;
import io.weir.store.held.ProcessMemory;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The memory of one {@link io.weir.store.ResidentDirectory}'s dictionaries: its limit, its figures,
 * and the dictionaries that wait for room within that limit. Those that wait for room in the
 * process wait in the {@link DictionaryLoader}.
 *
 * <p><b>Threads:</b> any. No lock is held while a dictionary is loaded.
 */
public final class DictionaryMemory {

  private final long maxBytes;
  private final HeldMemory memory;
  private final DictionaryLoader loader;
  private final OnceLog refusal = new OnceLog(DictionaryMemory.class);
  private final OnceLog fault = new OnceLog(DictionaryMemory.class);

  // All guarded by this.
  private final WaitingRoom waiting = new WaitingRoom();
  private long peakBytes;
  private long loadedFiles;
  private long reclaimedFiles;
  private long faults;
  private long attempts;
  private long readBytes;
  private long wastedBytes;

  /**
   * The memory of one index.
   *
   * @param loader of the process
   */
  DictionaryMemory(ResidentKeys keys, DictionaryLoader loader) {
    this.maxBytes = keys.maxBytes();
    this.memory = new HeldMemory(maxBytes, loader.memory(), loader.allocator());
    this.loader = loader;
  }

  /**
   * What one dictionary takes of the memory of the index and of the process. Its owner ends it
   * once; further calls do nothing.
   */
  final class Share {

    private final long heldBytes;
    private final int files;
    private final ProcessMemory.Reservation heap;
    private boolean ended; // guarded by the memory

    private Share(long heldBytes, int files, ProcessMemory.Reservation heap) {
      this.heldBytes = heldBytes;
      this.files = files;
      this.heap = heap;
    }

    /** The bytes of the dictionary that are held, or will be. */
    long bytes() {
      return heldBytes;
    }

    /** Whether the heap still has room for all of it. */
    boolean isAdmitted() {
      return heap.isAdmitted();
    }

    /** Some of it has been read. */
    void read(long newBytes) {
      heap.fill(newBytes);
      synchronized (DictionaryMemory.this) {
        readBytes += newBytes;
      }
    }

    void release() {
      if (end(0, 0)) {
        heap.release();
        admitWaiting();
      }
    }

    /** The JVM has reclaimed it. */
    void reclaimed() {
      if (end(files, heap.reclaimed())) {
        admitWaiting();
      }
    }

    /** The JVM has reclaimed it before all of it was read. */
    void reclaimedInPart() {
      if (end(0, heap.reclaimed())) {
        admitWaiting();
      }
    }

    /** It is given up, because the heap has no room for the rest. */
    void giveUp() {
      if (end(0, heap.giveUp())) {
        admitWaiting();
      }
    }

    private boolean end(int reclaimed, long wasted) {
      synchronized (DictionaryMemory.this) {
        if (ended) {
          return false;
        }
        ended = true;
        reclaimedFiles += reclaimed;
        wastedBytes += wasted;
      }
      memory.ended(heldBytes);
      return true;
    }
  }

  /**
   * What a dictionary needs.
   *
   * @param bytes of it that are held
   * @param heapBytes the part of these on the heap that no other layer holds already
   */
  private record Room(long bytes, long heapBytes) {}

  private Room roomFor(DictionaryFiles files, List<FileRange> parts) {
    long partsBytes = parts.stream().mapToLong(FileRange::length).sum();
    long indexBytes = files.index().map(DictionaryFiles.File::length).orElse(0L);
    long heapBytes =
        files.blocks().heapBytes(partsBytes)
            + files.index().map(index -> index.heapBytes(index.length())).orElse(0L);
    return new Room(partsBytes + indexBytes, heapBytes);
  }

  /**
   * Reserves the room of a dictionary or a filter.
   *
   * @param parts what to hold of the blocks
   * @return null if there is no room
   */
  Share reserve(DictionaryFiles files, List<FileRange> parts) {
    Room room = roomFor(files, parts);
    synchronized (this) {
      attempts++;
    }
    String name = files.blocks().name();
    ProcessMemory.Reservation heap =
        memory.reservation(
            name,
            room.bytes(),
            room.heapBytes(),
            usedBytes -> refused(name, room.bytes(), usedBytes));
    if (heap == null) {
      admitWaiting(); // one may have begun to wait for what was reserved for a moment
      return null;
    }
    synchronized (this) {
      peakBytes = Math.max(peakBytes, memory.bytes());
    }
    return new Share(room.bytes(), files.count(), heap);
  }

  private void refused(String name, long neededBytes, long usedBytes) {
    refusal.log(
        Level.WARNING,
        ("%s with %d bytes of terms is read from the disk until there is room, because %d of at"
                + " most %d bytes of this index are in use (ResidentKeys.withMaxBytes). This is"
                + " logged once for each index.")
            .formatted(name, neededBytes, usedBytes, maxBytes));
  }

  /** Lets a dictionary wait for the room that it did not get. */
  void await(WaitingRoom.Waiter dictionary, DictionaryFiles files) throws IOException {
    Room room = roomFor(files, files.blocks().ranges());
    synchronized (this) {
      if (room.bytes() > memory.roomBytes()) {
        waiting.add(dictionary, room.bytes());
        return;
      }
    }
    loader.await(dictionary, room.heapBytes());
  }

  /** Lets a dictionary wait for the room that its stopped copy needs, until a time. */
  void awaitHeap(WaitingRoom.Waiter dictionary, long endNanos) {
    loader.awaitHeap(dictionary, endNanos);
  }

  /** A dictionary is closed, and waits no more. */
  void forget(WaitingRoom.Waiter dictionary) {
    synchronized (this) {
      waiting.remove(dictionary);
    }
    loader.forget(dictionary);
  }

  private void admitWaiting() {
    List<WaitingRoom.Waiter> next = new ArrayList<>();
    synchronized (this) {
      long room = memory.roomBytes();
      for (long taken = 0; taken >= 0; room -= taken) {
        taken = waiting.take(room, maxBytes, loader.nowNanos(), next::add);
      }
    }
    next.forEach(WaitingRoom.Waiter::enqueue);
  }

  /** Counts a dictionary that is in memory now. */
  synchronized void loaded(DictionaryFiles files) {
    loadedFiles += files.count();
  }

  /** Counts a dictionary that could not be examined or loaded. */
  public void fault(String name, Throwable failure) {
    synchronized (this) {
      faults++;
    }
    fault.warn(
        name
            + " is not held in memory and is read from the disk; later faults are counted and not"
            + " logged",
        failure);
  }

  /** Those of the process. */
  HeldCopies held() {
    return loader.held();
  }

  HeldMemory.Allocator allocator() {
    return loader.allocator();
  }

  long nowNanos() {
    return loader.nowNanos();
  }

  /** The figures of the memory, without those of the open dictionaries. */
  synchronized ResidentSnapshot snapshot(
      long files, Map<String, Long> bytesBySegment, long waitingFiles, long waitingBytes) {
    return new ResidentSnapshot(
        memory.bytes(),
        peakBytes,
        memory.maxBytes(),
        files,
        bytesBySegment,
        waitingFiles,
        waitingBytes,
        loadedFiles,
        reclaimedFiles,
        faults,
        attempts,
        readBytes,
        wastedBytes);
  }
}
