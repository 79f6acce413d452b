package io.weir.store.writeback;

import java.io.Closeable;
import java.io.IOException;

/**
 * A file whose ranges can be sent to the disk while another handle writes the file.
 *
 * <p><b>Threads:</b> one at a time. <b>Failure:</b> after a failure of any method the caller only
 * closes the file. A {@link LostWriteException} means that data of the file could not be written;
 * other exceptions say nothing about its data.
 */
public interface WritebackFile extends Closeable {

  /** Starts to write the range; waits as little as possible. */
  void start(long offset, long bytes) throws IOException;

  /** Waits until the range has been written; fails if a part of it could not be. */
  void await(long offset, long bytes) throws IOException;

  /** Drops a written range from the page cache, and returns the bytes dropped. */
  long drop(long offset, long bytes) throws IOException;
}
