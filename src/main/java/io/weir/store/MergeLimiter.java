package io.weir.store;

import java.io.IOException;

/**
 * Limits the bytes that one merge writes, and lets it wait. {@link RateLimitedDirectory#bind}
 * assigns it to a segment.
 *
 * <p><b>Threads:</b> all threads that write for the merge, concurrently.
 */
public interface MergeLimiter {

  /** The kind of file that the bytes belong to. */
  enum Part {
    /** A file of the merged segment, even if it is later packed into a compound file. */
    LASTING,
    /** A temporary file, deleted before the merge ends. */
    TEMPORARY,
    /** A compound file, whose bytes were written before. */
    COMPOUND
  }

  /** A file of the merge, temporary or not, was created. */
  default void begins(String name) {}

  /**
   * A file that the merge has written is about to be opened. Waits if the merge must.
   *
   * @throws org.apache.lucene.index.MergePolicy.MergeAbortedException when the merge was aborted
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  default void opens(String name) throws IOException, InterruptedException {}

  /**
   * Waits until some of {@code maxBytes} may be written. Should not wait for long while the thread
   * closes something: the merge may have failed.
   *
   * @return how many may be written now, from 1 to {@code maxBytes}; ask again for the rest
   * @throws org.apache.lucene.index.MergePolicy.MergeAbortedException when the merge was aborted
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  long acquire(long maxBytes, Part part) throws IOException, InterruptedException;
}
