package io.weir.store;

import java.lang.ref.SoftReference;
import org.apache.lucene.store.IndexInput;

/**
 * A terms dictionary in memory, blocks and index together, and the room that was reserved for it.
 *
 * <p>It is held softly: a JVM that is about to run out of heap takes it back instead. Lookups that
 * are under way keep it until they end.
 *
 * <p><b>Threads:</b> any.
 */
final class LoadedDictionary {

  /**
   * What it takes.
   *
   * @param bytes of the dictionary
   * @param heapBytes of the heap, besides what another layer holds there already
   */
  record Room(long bytes, long heapBytes) {}

  /** The two files; clone or slice them. */
  record Copies(IndexInput blocks, IndexInput index) {}

  private final SoftReference<Copies> copies;
  private final Room room;

  private LoadedDictionary(Copies copies, Room room) {
    this.copies = new SoftReference<>(copies);
    this.room = room;
  }

  /** On the heap. */
  static LoadedDictionary ofCopies(IndexInput blocks, IndexInput index, Room room) {
    return new LoadedDictionary(new Copies(blocks, index), room);
  }

  /** In the page cache: the files that are open are what is read. */
  static LoadedDictionary inPageCache(Room room) {
    return new LoadedDictionary(null, room);
  }

  /** What was reserved for it. */
  Room room() {
    return room;
  }

  /** The copies; null where there are none, or none any more. */
  Copies copies() {
    return copies.get();
  }
}
