package io.weir.merge;

/**
 * What {@code IndexWriter.close} does to merges that are not done. Lucene's waits for them, which
 * under a cap takes as long as the cap wants and while paused for ever.
 */
public enum CloseAction {
  /**
   * They are aborted, running and pending ones alike, so that close returns as fast as rollback. No
   * document is lost: the segments stay as they are and are merged when the index is written to
   * again. But an application that calls {@code forceMerge(n, false)} and counts on {@code close}
   * to finish it must choose another action.
   */
  ABORT,

  /** They finish at full speed, owed to the budget. */
  LIFT,

  /** They finish under the cap; while the budget is paused, not at all. */
  FINISH
}
