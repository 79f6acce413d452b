package io.weir.merge;

import java.util.Optional;

/**
 * Counts what a merge reads from storage, for a budget that counts reads; set by {@link
 * RateLimitedMergeScheduler#setReadMeter} or {@link MergeTracker#setReadMeter}.
 *
 * <p><b>Threads:</b> those of all merges, concurrently.
 */
@FunctionalInterface
public interface MergeReadMeter {

  /** Counts nothing. */
  MergeReadMeter NONE = Optional::empty;

  /** Counts what the calling thread reads from now on; empty if that cannot be known. */
  Optional<Counter> ofCallingThread();

  /**
   * Counts the reads of one thread. One thread at a time uses it.
   *
   * <p><b>Failure:</b> a runtime exception ends the counting for that merge, and is logged; once
   * the counted thread has died, it ends the counting of that thread alone.
   */
  interface Counter extends AutoCloseable {

    /** The bytes read from storage since the last call, or since the beginning. */
    long bytesSinceLast();

    @Override
    void close();
  }
}
