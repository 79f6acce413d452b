package io.weir.store.keys;

import org.apache.lucene.store.IndexInput;

/**
 * A terms dictionary in memory, both blocks and index, or a filter, with the memory that was
 * reserved for it.
 *
 * <p>It is held by a soft reference: a JVM that is about to run out of heap reclaims it. Lookups in
 * progress keep it until they end.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> who holds it ends it, by {@link #release} or {@link
 * #reclaimed}; the first call counts.
 */
record LoadedDictionary(HeldCopies.Held<Copies> held, DictionaryMemory.Share share) {

  /**
   * The copies of the files.
   *
   * @param blocks all blocks, or those of key fields; or the filter
   * @param index to clone or slice; null for a filter
   */
  record Copies(HeapParts blocks, IndexInput index) {}

  /** Sets who is called when the JVM has reclaimed it; the listener must be quick. */
  void onReclaimed(Runnable listener) {
    held.onReclaimed(listener);
  }

  /** The bytes of the dictionary that are held. */
  long bytes() {
    return share.bytes();
  }

  /** The copies; null if they were reclaimed. */
  Copies copies() {
    return held.get();
  }

  /** Releases its memory. */
  void release() {
    held.remove();
    share.release();
  }

  /** Releases the memory that the JVM has reclaimed, and counts that. */
  void reclaimed() {
    held.remove();
    share.reclaimed();
  }
}
