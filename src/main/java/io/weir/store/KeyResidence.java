package io.weir.store;

/** Where {@link ResidentDirectory} keeps the dictionaries of keys in memory. */
public enum KeyResidence {
  /**
   * A copy on the heap: no lookup reads the disk, whatever merges do to the page cache. A JVM that
   * runs out of heap reclaims the copy. The default.
   */
  HEAP,
  /**
   * The page cache: the file is read as without Weir, but each of its pages is loaded once in
   * advance. It takes no heap. But when a merge fills the cache, the kernel may drop the pages, and
   * lookups read the disk again. Closing the file unmaps it, as without Weir.
   */
  PRELOADED
}
