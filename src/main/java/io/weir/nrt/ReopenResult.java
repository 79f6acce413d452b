package io.weir.nrt;

/** How a reopen ended. */
public enum ReopenResult {
  /** A new searcher is visible. */
  CHANGED,

  /** There was nothing new; the searcher is as fresh as it can be. */
  UNCHANGED,

  /** It threw; the old searcher stays. */
  FAILED,

  /** Another thread was reopening, so this one did not begin. */
  SKIPPED,

  /**
   * Nothing new became visible, and the monitor cannot tell why: it failed, or there was nothing
   * new and a change came at that very instant. Only reopens that went past {@link
   * ReopenMonitor#maybeRefresh} can end so.
   */
  UNCLEAR;

  /** Whether all that was indexed before the reopen began can now be searched. */
  public boolean isGood() {
    return this == CHANGED || this == UNCHANGED;
  }
}
