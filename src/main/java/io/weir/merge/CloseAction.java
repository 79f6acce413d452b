package io.weir.merge;

/**
 * What {@code IndexWriter.close} does to merges that are not done.
 *
 * <p>Lucene's contract is that {@code close} waits for them. Under a cap that could take as long as
 * the cap wants, and while the budget is paused for ever. {@code rollback} aborts them in any case.
 */
public enum CloseAction {
  /** They finish at full speed, owed to the budget; the default. */
  LIFT,

  /** They finish under the cap; while the budget is paused, not at all. */
  FINISH,

  /**
   * They are aborted, running and pending ones alike, so that close returns as fast as rollback. No
   * document is lost: the segments stay as they are and are merged when the index is written to
   * again. But an application that calls {@code forceMerge(n, false)} and counts on {@code close}
   * to finish it must choose another action.
   */
  ABORT
}
