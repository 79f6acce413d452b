package io.weir.store;

import io.weir.lucene.FileRange;
import io.weir.lucene.InputCalls;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.IndexInput;

/**
 * The memory of one {@link ResidentDirectory}'s dictionaries: loads them within the bounds of the
 * index and of the process, and counts them.
 *
 * <p><b>Threads:</b> any. No lock is held while a dictionary is loaded.
 */
final class DictionaryMemory {

  /** The smallest page size of all machines; larger pages are touched more than once. */
  private static final int PAGE_BYTES = 4096;

  /** Pages touched between two calls of the pacer. */
  private static final int PIECE_BYTES = 1 << 18;

  private final long maxBytes;
  private final KeyResidence residence;
  private final ResidentMemory memory;
  private final HeapCopy.Allocator allocator;

  // All guarded by this.
  private long bytes;
  private long peakBytes;
  private long loadedFiles;
  private long reclaimedFiles;
  private long faults;
  private boolean refused;

  /**
   * The memory of one index.
   *
   * @param memory the heap of the process for dictionaries
   */
  DictionaryMemory(ResidentKeys keys, ResidentMemory memory, HeapCopy.Allocator allocator) {
    this.maxBytes = keys.maxBytes();
    this.residence = keys.residence();
    this.memory = memory;
    this.allocator = allocator;
  }

  /**
   * Loads a dictionary or a filter into memory: all its files or none, and of the blocks only the
   * parts to be held.
   *
   * @param pacer called before each piece; an exception of it ends the loading
   * @return null if there is no room
   */
  LoadedDictionary load(DictionaryFiles files, MergeReadPacing.Pacer pacer) throws IOException {
    List<FileRange> parts = files.blocks().ranges();
    LoadedDictionary.Room room = roomFor(files, parts);
    if (!reserve(files.blocks().name(), room)) {
      return null;
    }
    LoadedDictionary loaded = null;
    try {
      loaded = isOnHeap() ? copy(files, parts, room, pacer) : touch(files, parts, room, pacer);
    } finally {
      if (loaded == null) {
        release(room);
      }
    }
    if (loaded != null) {
      synchronized (this) {
        loadedFiles += room.files();
      }
    }
    return loaded;
  }

  private LoadedDictionary.Room roomFor(DictionaryFiles files, List<FileRange> parts) {
    long partsBytes = parts.stream().mapToLong(FileRange::length).sum();
    long indexBytes = files.index().map(DictionaryFile::length).orElse(0L);
    long heapBytes =
        files.blocks().heapBytes(partsBytes)
            + files.index().map(index -> index.heapBytes(index.length())).orElse(0L);
    return new LoadedDictionary.Room(
        partsBytes + indexBytes, isOnHeap() ? heapBytes : 0, files.count());
  }

  /** Counts a dictionary that could not be examined or loaded. */
  void fault(String name, Throwable failure) {
    boolean first;
    synchronized (this) {
      first = faults++ == 0;
    }
    if (first) {
      StoreLog.log(
          Level.WARNING,
          name
              + " is not held in memory and is read from the disk; later faults are counted and not"
              + " logged",
          failure);
    }
  }

  /** Releases a closed dictionary. */
  void release(LoadedDictionary loaded) {
    release(loaded.room());
  }

  /** Counts a dictionary that the JVM has reclaimed. */
  void reclaimed(LoadedDictionary loaded) {
    synchronized (this) {
      bytes -= loaded.room().bytes();
      reclaimedFiles += loaded.room().files();
    }
    memory.reclaimed(loaded.room().heapBytes());
  }

  boolean isOnHeap() {
    return residence == KeyResidence.HEAP;
  }

  /** The limit of the index: its own, or that of the process if it is lower. */
  long maxBytes() {
    return isOnHeap() ? Math.min(maxBytes, memory.maxBytes()) : maxBytes;
  }

  synchronized long bytes() {
    return bytes;
  }

  synchronized long peakBytes() {
    return peakBytes;
  }

  synchronized long loadedFiles() {
    return loadedFiles;
  }

  synchronized long reclaimedFiles() {
    return reclaimedFiles;
  }

  synchronized long faults() {
    return faults;
  }

  private boolean reserve(String name, LoadedDictionary.Room room) {
    if (!reserveHere(name, room.bytes())) {
      return false;
    }
    if (room.heapBytes() > 0 && !memory.reserve(name, room.heapBytes())) {
      synchronized (this) {
        bytes -= room.bytes();
      }
      return false;
    }
    synchronized (this) {
      peakBytes = Math.max(peakBytes, bytes);
    }
    return true;
  }

  private boolean reserveHere(String name, long needed) {
    long held;
    boolean first;
    synchronized (this) {
      held = bytes;
      if (needed <= maxBytes - held) {
        bytes += needed;
        return true;
      }
      first = !refused;
      refused = true;
    }
    if (first) {
      StoreLog.log(
          Level.WARNING,
          "{0} with {1} bytes of terms is read from the disk until there is room, because {2} of"
              + " at most {3} bytes of this index are in use (ResidentKeys.withMaxBytes). This is"
              + " logged once for each index.",
          name,
          Long.toString(needed),
          Long.toString(held),
          Long.toString(maxBytes));
    }
    return false;
  }

  private void release(LoadedDictionary.Room room) {
    synchronized (this) {
      bytes -= room.bytes();
    }
    if (room.heapBytes() > 0) {
      memory.release(room.heapBytes());
    }
  }

  private LoadedDictionary copy(
      DictionaryFiles files,
      List<FileRange> parts,
      LoadedDictionary.Room room,
      MergeReadPacing.Pacer pacer)
      throws IOException {
    // The index first: it is short, and the JVM can reclaim the blocks until they are complete.
    IndexInput indexCopy = null;
    if (files.index().isPresent()) {
      DictionaryFile index = files.index().get();
      HeapParts copied = copy(index, List.of(FileRange.ofFile(index.length())), pacer);
      if (copied == null) {
        return null;
      }
      indexCopy = copied.over(index.opened());
    }
    HeapParts blocksCopy = copy(files.blocks(), parts, pacer);
    return blocksCopy == null ? null : LoadedDictionary.ofCopies(blocksCopy, indexCopy, room);
  }

  /** Null if the heap no longer has room. */
  private HeapParts copy(DictionaryFile file, List<FileRange> ranges, MergeReadPacing.Pacer pacer)
      throws IOException {
    if (file.isOnHeap()) {
      return HeapParts.whole(file.opened());
    }
    try (IndexInput source = file.reader().get()) {
      List<HeapCopy> copies = new ArrayList<>();
      for (FileRange range : ranges) {
        HeapCopy copy =
            new HeapCopy(
                file.isWhole() ? source : source.slice("keys", range.start(), range.length()),
                allocator);
        copies.add(copy);
        if (!isCopied(copy, pacer)) {
          return null;
        }
      }
      HeapParts copied = partsOf(file, ranges, copies);
      if (copied != null && file.opened() != null) {
        file.requireSame(copied.over(file.opened()));
      }
      return copied;
    }
  }

  private boolean isCopied(HeapCopy copy, MergeReadPacing.Pacer pacer) throws IOException {
    while (copy.leftBytes() > 0) {
      pacer.beforeRead();
      if (!memory.heapAdmits(copy.leftBytes()) || !copy.step()) {
        return false;
      }
    }
    return true;
  }

  private static HeapParts partsOf(
      DictionaryFile file, List<FileRange> ranges, List<HeapCopy> copies) {
    List<HeldPart> parts = new ArrayList<>();
    for (int i = 0; i < copies.size(); i++) {
      IndexInput copy = copies.get(i).input();
      if (copy == null) {
        return null;
      }
      parts.add(new HeldPart(ranges.get(i), copy));
    }
    return file.isWhole() ? HeapParts.whole(parts.getFirst().copy()) : HeapParts.of(parts);
  }

  private static LoadedDictionary touch(
      DictionaryFiles files,
      List<FileRange> parts,
      LoadedDictionary.Room room,
      MergeReadPacing.Pacer pacer)
      throws IOException {
    touch(files.blocks(), parts, pacer);
    if (files.index().isPresent()) {
      DictionaryFile index = files.index().get();
      touch(index, List.of(FileRange.ofFile(index.length())), pacer);
    }
    return LoadedDictionary.inPageCache(room);
  }

  private static void touch(
      DictionaryFile file, List<FileRange> ranges, MergeReadPacing.Pacer pacer) throws IOException {
    try (IndexInput source = file.reader().get()) {
      for (FileRange range : ranges) {
        for (long done = 0; done < range.length(); done += PAGE_BYTES) {
          long offset = range.start() + done;
          if (done % PIECE_BYTES == 0) {
            pacer.beforeRead();
            InputCalls.prefetch(source, offset, Math.min(PIECE_BYTES, range.end() - offset));
          }
          source.seek(offset);
          source.readByte();
        }
      }
    }
  }
}
