package io.weir.store;

/** In which memory {@link ResidentDirectory} keeps the dictionaries of keys. */
public enum KeyResidence {
  /**
   * A copy on the heap: no lookup reads the disk, whatever merges do to the page cache. A JVM that
   * would else run out of heap takes the copy back. The default.
   */
  HEAP,
  /**
   * The page cache: the file is read as without Weir, and each page of it once ahead of that. It
   * takes no heap, but the kernel may drop the pages again when a merge fills the cache, and a
   * lookup reads the disk then as before; closing the file unmaps it, as without Weir.
   */
  PRELOADED
}
