package io.weir.store.reads;

/**
 * Brings parts of a file into the page cache before they are read.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> throws nothing; the parts are then read without it.
 */
@FunctionalInterface
public interface ReadAhead extends AutoCloseable {

  /** For a file that needs none. */
  ReadAhead NONE = (offset, length) -> {};

  /** Returns when these bytes of the file are in memory, or when they cannot be read. */
  void fetch(long offset, long length);

  /** Closes what it has opened; a later {@link #fetch} does nothing. */
  @Override
  default void close() {}
}
