package io.weir.nrt;

/**
 * Told of reopens and of documents that became searchable.
 *
 * <p><b>Units:</b> nanoseconds. <b>Threads:</b> called on the thread that reopened, one call after
 * the other for one reopen; two threads may call at once. What it takes is added to the reopen; it
 * must not reopen by itself. <b>Failure:</b> what it throws is caught; the first time it is logged
 * as a warning. The reopen is not affected.
 */
public interface ReopenListener {

  /** A phase of the reopen that is about to be told; those that are not known are not told. */
  default void phaseEnded(ReopenPhase phase, long phaseNanos) {}

  /**
   * The reopen that is about to be told made a new searcher visible, and the moment is known.
   *
   * @param visibleNanos from its start until then
   */
  default void searcherVisible(long visibleNanos) {}

  /**
   * A reopen ended, or was skipped.
   *
   * @param totalNanos from its start: the call, where the monitor saw it, else when it had the lock
   * @param latencyNanos from its intended start if that was given, else the same as the total
   */
  default void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {}

  /** A document of the sample is searchable now, that long after {@link ReopenMonitor#indexed}. */
  default void documentVisible(long freshnessNanos) {}
}
