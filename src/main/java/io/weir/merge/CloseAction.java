package io.weir.merge;

/**
 * What {@code IndexWriter.close} does with unfinished merges.
 *
 * <p>Lucene's contract is that {@code close} waits for them. Under a low cap that may take long,
 * and while the budget is paused it never ends. {@code rollback} aborts merges in any case.
 */
public enum CloseAction {
  /** They finish at full speed, debited to the budget; the default. */
  LIFT,

  /** They finish under the cap; while the budget is paused, they never finish. */
  FINISH,

  /**
   * Running and pending merges are aborted, so that close returns as fast as rollback. No document
   * is lost: the segments stay as they are, and a later writer merges them. An application that
   * calls {@code forceMerge(n, false)} and relies on {@code close} to finish it must choose another
   * action.
   */
  ABORT
}
