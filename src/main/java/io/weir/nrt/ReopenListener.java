package io.weir.nrt;

/**
 * Receives reopens, and documents that became searchable.
 *
 * <p><b>Units:</b> nanoseconds. <b>Threads:</b> called on the thread that reopened; the calls for
 * one reopen are sequential, but two threads may call concurrently. The time it takes adds to the
 * reopen. It must not reopen. <b>Failure:</b> exceptions are caught, and the first one is logged as
 * a warning. The reopen is not affected.
 */
public interface ReopenListener {

  /** A known phase of the reopen; called before {@link #reopenEnded} of the same reopen. */
  default void phaseEnded(ReopenPhase phase, long phaseNanos) {}

  /**
   * The reopen made a new searcher visible at a known time; called before {@link #reopenEnded}.
   *
   * @param visibleNanos time from the start of the reopen until then
   */
  default void searcherVisible(long visibleNanos) {}

  /**
   * A reopen ended, or was skipped.
   *
   * @param totalNanos time since its start: the call, or the moment it had the lock if the monitor
   *     did not see the call
   * @param latencyNanos time since its intended start if that was given; otherwise equal to the
   *     total
   */
  default void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {}

  /**
   * A part of what {@link #documentsVisible} then reports; called for each part, in order. They add
   * up to that.
   */
  default void visiblePart(VisiblePart part, long nanos) {}

  /**
   * The reopen made documents searchable that the application had {@linkplain
   * ReopenMonitor#indexed(long, long) reported}.
   *
   * @param longestNanos how long the one took that had waited longest, from the moment that the
   *     application had it
   */
  default void documentsVisible(long longestNanos) {}

  /** A sampled document became searchable, this long after {@link ReopenMonitor#indexed}. */
  default void documentVisible(long freshnessNanos) {}
}
