package io.weir.merge;

/**
 * Receives the events of a {@link RateLimitedMergeScheduler} or a {@link MergeTracker}.
 *
 * <p><b>Threads:</b> called on merge threads, and on threads that index, reopen, commit or close.
 * The monitor of the scheduler or of the writer may be held, so a listener must return soon and
 * wait for no other thread. <b>Failure:</b> exceptions are caught and counted, and the first one is
 * logged as a warning. The merge is not affected.
 */
public interface MergeListener {

  /** A merge begins. */
  default void mergeStarted(MergeTotals merge) {}

  /** A merge has ended, whatever its outcome. */
  default void mergeFinished(MergeTotals merge) {}

  /**
   * A thread of a merge has stopped waiting for the budget, or has stopped yielding.
   *
   * @param pauseNanos how long it paused
   */
  default void pauseEnded(MergeKind kind, long pauseNanos) {}

  /** Merges run at full speed from now on, so that indexing does not stall. */
  default void capLifted(String reason) {}

  /** The backlog has shrunk, and the cap holds again. */
  default void capRestored() {}

  /** The cap is too low for the indexing rate; called once per episode. */
  default void cannotKeepUp(MergeDebtSnapshot debt) {}
}
