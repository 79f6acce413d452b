package io.weir.store;

import java.io.IOException;

/**
 * Who pays for what one merge writes, and how it waits. {@link RateLimitedDirectory#bind} puts one
 * in charge of a segment.
 *
 * <p><b>Threads:</b> every thread that writes for the merge calls it, several at once.
 */
public interface MergeLimiter {

  /** What becomes of the bytes. */
  enum Part {
    /** A file of the merged segment; one that goes into a compound file too. */
    LASTING,
    /** A temporary file, gone when the merge is done. */
    TEMPORARY,
    /** A compound file: bytes that were written once before. */
    COMPOUND
  }

  /**
   * Waits until some of {@code maxBytes} may be written.
   *
   * @return how many may be written now, from 1 to {@code maxBytes}; ask again for the rest
   * @throws org.apache.lucene.index.MergePolicy.MergeAbortedException when the merge was called off
   * @throws InterruptedException when the thread is interrupted and would have to wait or does
   */
  long acquire(long maxBytes, Part part) throws IOException, InterruptedException;
}
