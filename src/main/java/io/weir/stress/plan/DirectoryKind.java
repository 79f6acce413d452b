package io.weir.stress.plan;

/** How an arm's index is read. */
public enum DirectoryKind {
  /** Mapped into memory, as Lucene does by itself on 64-bit machines. */
  MMAP,
  /** By positioned reads of a file channel; nothing is mapped. */
  NIO
}
