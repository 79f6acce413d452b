package io.weir.store;

/**
 * Brings parts of a file into the page cache before somebody reads them.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> none is shown: the parts are then read without it.
 */
@FunctionalInterface
interface ReadAhead extends AutoCloseable {

  /** For a file that needs none. */
  ReadAhead NONE = (offset, length) -> {};

  /** Returns when these bytes of the file are in memory, or cannot be brought there. */
  void fetch(long offset, long length);

  /** Gives back what it has opened; what is fetched later has no effect. */
  @Override
  default void close() {}
}
