package io.weir.merge;

/**
 * Whether the cap gives way to a backlog: the decision, without the deed.
 *
 * <p>When a merge is pending and as many run as Lucene allows, it makes the threads that index
 * stand still until one is done. Under a cap that may take long. So the cap is lifted a little
 * before, or at that moment when few merges are allowed. It holds again when half of the backlog is
 * gone: two marks, so that it does not flutter.
 *
 * <p><b>Threads:</b> any; guarded by this.
 */
final class CapLiftPolicy {

  /** What is to be done. */
  enum Verdict {
    LEAVE,
    LIFT,
    RESTORE
  }

  private static final int FEW_SLOTS = 3;

  private boolean enabled = true; // guarded by this
  private boolean lifted; // guarded by this

  synchronized void setEnabled(boolean nowEnabled) {
    enabled = nowEnabled;
  }

  /**
   * Whether the merges that run leave one slot at most. With {@link #FEW_SLOTS} or fewer that is an
   * everyday state, which would make the cap void: then only a merge that finds no slot counts.
   */
  static boolean isNear(int running, int maxMergeCount) {
    return maxMergeCount > FEW_SLOTS && running >= maxMergeCount - 1;
  }

  /**
   * Decides.
   *
   * @param running merges that are not critical and not aborted
   * @param maxMergeCount as many as Lucene lets run before it stalls
   * @param stalling whether more are pending and no more may run
   * @param paced whether a cap holds merges back
   */
  synchronized Verdict decide(int running, int maxMergeCount, boolean stalling, boolean paced) {
    if (lifted) {
      if (enabled && running > maxMergeCount / 2) {
        return Verdict.LEAVE;
      }
      lifted = false;
      return Verdict.RESTORE;
    }
    boolean soon = isNear(running, maxMergeCount) || stalling;
    if (enabled && paced && soon) {
      lifted = true;
      return Verdict.LIFT;
    }
    return Verdict.LEAVE;
  }
}
