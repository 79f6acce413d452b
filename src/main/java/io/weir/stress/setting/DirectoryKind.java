package io.weir.stress.setting;

/** How an arm's index is read. */
public enum DirectoryKind {
  /** Mapped into memory, as Lucene does by itself on 64-bit machines. */
  MMAP,
  /** By positioned reads of a file channel; nothing is mapped. */
  NIO,
  /**
   * Mapped, but merges above 10 MB read and write past the page cache, by Lucene's {@code
   * DirectIODirectory}. Their temporary files do not.
   */
  DIRECT,
  /** Copied to the Java heap when it is opened; merges write to the heap as well. */
  HEAP
}
