package io.weir.merge;

/**
 * Told what a {@link RateLimitedMergeScheduler} does.
 *
 * <p><b>Threads:</b> called on merge threads, and on those that index, reopen, commit or close. The
 * scheduler's monitor may be held, so it returns soon and waits for no other thread.
 * <b>Failure:</b> what it throws is caught and counted; the first time it is logged as a warning.
 * The merge is not affected.
 */
public interface MergeListener {

  /** A merge begins. */
  default void mergeStarted(MergeTotals merge) {}

  /** A merge has ended, in whatever way. */
  default void mergeFinished(MergeTotals merge) {}

  /**
   * A thread of a merge waited for the budget, or stood aside, and waits no more.
   *
   * @param pausedNanos how long
   */
  default void pauseEnded(MergeKind kind, long pausedNanos) {}

  /** Merges run at full speed from now on, so that indexing need not stand still. */
  default void capLifted(String reason) {}

  /** The backlog has gone down and the cap holds again. */
  default void capRestored() {}

  /** The cap is too low for what is indexed; once in an episode. */
  default void cannotKeepUp(MergeDebtSnapshot debt) {}
}
