package io.weir.merge;

/**
 * Decides when a backlog lifts the cap, and when the cap is restored.
 *
 * <p>When a merge is pending and the maximum number of merges runs, Lucene stalls the indexing
 * threads until a merge ends. Under a cap that may take long. So the cap is lifted shortly before;
 * if few merges are allowed, it is lifted at that moment. The cap is restored when half of the
 * backlog is gone. The two thresholds differ so that the cap does not flap.
 *
 * <p><b>Threads:</b> any; guarded by this.
 */
final class CapLiftPolicy {

  /** The decision. */
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
   * Whether the running merges leave at most one free slot. With {@link #FEW_SLOTS} slots or fewer
   * that is normal, and would make the cap void; then only a merge without a slot counts.
   */
  static boolean isNear(int running, int maxMergeCount) {
    return maxMergeCount > FEW_SLOTS && running >= maxMergeCount - 1;
  }

  /**
   * Decides.
   *
   * @param running number of running merges that are neither critical nor aborted
   * @param maxMergeCount the number of merges at which Lucene stalls indexing
   * @param stalling whether more merges are pending than may run
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
