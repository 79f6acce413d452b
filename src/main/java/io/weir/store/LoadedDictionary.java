package io.weir.store;

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
final class LoadedDictionary {

  /**
   * The copies of the files.
   *
   * @param blocks all blocks, or those of key fields; or the filter
   * @param index to clone or slice; null for a filter
   */
  record Copies(HeapParts blocks, IndexInput index) {}

  private final HeldCopies.Held<Copies> held; // null in the page cache
  private final DictionaryMemory.Share share;

  private LoadedDictionary(HeldCopies.Held<Copies> held, DictionaryMemory.Share share) {
    this.held = held;
    this.share = share;
  }

  /** A dictionary on the heap. */
  static LoadedDictionary ofCopies(HeldCopies.Held<Copies> held, DictionaryMemory.Share share) {
    return new LoadedDictionary(held, share);
  }

  /** A dictionary in the page cache: lookups read the open files. */
  static LoadedDictionary inPageCache(DictionaryMemory.Share share) {
    return new LoadedDictionary(null, share);
  }

  /** Sets who is called when the JVM has reclaimed it; the listener must be quick. */
  void onReclaimed(Runnable listener) {
    if (held != null) {
      held.onReclaimed(listener);
    }
  }

  /** The bytes of the dictionary that are held. */
  long bytes() {
    return share.bytes();
  }

  /** The copies; null if there are none, or if they were reclaimed. */
  Copies copies() {
    return held == null ? null : held.get();
  }

  /** Releases its memory. */
  void release() {
    forget();
    share.release();
  }

  /** Releases the memory that the JVM has reclaimed, and counts that. */
  void reclaimed() {
    forget();
    share.reclaimed();
  }

  private void forget() {
    if (held != null) {
      held.remove();
    }
  }
}
