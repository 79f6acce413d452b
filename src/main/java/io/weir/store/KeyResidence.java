package io.weir.store;

/** In which memory {@link ResidentDirectory} keeps the dictionaries of keys. */
public enum KeyResidence {
  /** A copy on the heap: no lookup reads the disk, whatever else wants memory. The default. */
  HEAP,
  /**
   * The page cache: the file is opened as without Weir, and each page of it is read once then. It
   * takes no heap, but the kernel may drop the pages again when a merge fills the cache, and a
   * lookup reads the disk then as before; closing the file unmaps it, as without Weir.
   */
  PRELOADED
}
