package io.weir.store;

import java.lang.ref.SoftReference;
import org.apache.lucene.store.IndexInput;

/**
 * A terms dictionary in memory, both blocks and index, or a filter, with the memory that was
 * reserved for it.
 *
 * <p>It is held by a soft reference: a JVM that is about to run out of heap reclaims it. Lookups in
 * progress keep it until they end.
 *
 * <p><b>Threads:</b> any.
 */
final class LoadedDictionary {

  /**
   * The reserved memory.
   *
   * @param bytes of the dictionary that are held
   * @param heapBytes the part of it on the heap that no other layer holds already
   * @param files how many are held
   */
  record Room(long bytes, long heapBytes, int files) {}

  /**
   * The copies of the files.
   *
   * @param blocks all blocks, or those of key fields; or the filter
   * @param index to clone or slice; null for a filter
   */
  record Copies(HeapParts blocks, IndexInput index) {}

  private final SoftReference<Copies> copies;
  private final Room room;

  private LoadedDictionary(Copies copies, Room room) {
    this.copies = new SoftReference<>(copies);
    this.room = room;
  }

  /** A dictionary on the heap. */
  static LoadedDictionary ofCopies(HeapParts blocks, IndexInput index, Room room) {
    return new LoadedDictionary(new Copies(blocks, index), room);
  }

  /** A dictionary in the page cache: lookups read the open files. */
  static LoadedDictionary inPageCache(Room room) {
    return new LoadedDictionary(null, room);
  }

  /** The memory that was reserved for it. */
  Room room() {
    return room;
  }

  /** The copies; null if there are none, or if they were reclaimed. */
  Copies copies() {
    return copies.get();
  }
}
