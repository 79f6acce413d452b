package io.weir.nrt;

/** The result of a reopen. */
public enum ReopenResult {
  /** A new searcher is visible. */
  CHANGED,

  /** There was nothing new; the searcher is up to date. */
  UNCHANGED,

  /** It threw an exception; the old searcher stays. */
  FAILED,

  /** It did not begin, because another thread was reopening. */
  SKIPPED,

  /**
   * Nothing new became visible, and the monitor cannot tell why: either it failed, or there was
   * nothing new until a change arrived at that instant. Only reopens that bypass {@link
   * ReopenMonitor#maybeRefresh} can end this way.
   */
  UNCLEAR;

  /** Whether every document indexed before the reopen began is now searchable. */
  public boolean isGood() {
    return this == CHANGED || this == UNCHANGED;
  }
}
