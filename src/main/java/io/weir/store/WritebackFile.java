package io.weir.store;

import java.io.Closeable;
import java.io.IOException;

/**
 * A file of which ranges can be sent to the disk while another handle writes it.
 *
 * <p><b>Threads:</b> one at a time. <b>Failure:</b> any method may fail, and then the caller has no
 * more to do with the file than to close it. A {@link LostWriteException} says that data of the
 * file could not be written; any other exception says nothing about its data.
 */
interface WritebackFile extends Closeable {

  /** Has the range written; waits as little as can be. */
  void start(long offset, long bytes) throws IOException;

  /** Waits until the range has been written, and fails if any of it could not be. */
  void await(long offset, long bytes) throws IOException;

  /** Lets go of what the page cache holds of a range that has been written; counts the bytes. */
  long drop(long offset, long bytes) throws IOException;
}
