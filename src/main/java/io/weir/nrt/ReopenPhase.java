package io.weir.nrt;

/**
 * A part of a reopen, in the order they come. They do not overlap; their sum may be less than the
 * whole. {@link #FLUSH} to {@link #MERGE_WAIT} are known only with {@link ReopenPhases#infoStream},
 * {@link #WARM} and {@link #RELEASE} only with {@link ReopenPhases#searcherFactory}.
 */
public enum ReopenPhase {
  /**
   * From the call until the reopen could begin: another one was under way. Known for reopens by
   * {@link ReopenMonitor#maybeRefresh} and {@link ReopenMonitor#maybeRefreshBlocking}.
   */
  LOCK_WAIT,

  /**
   * Writing what is in memory as segments, with the wait for a commit that is flushing. If the
   * manager does not apply all deletes and there are none, the opening of readers is in here.
   */
  FLUSH,

  /** Finding the documents of deleted terms and queries. */
  APPLY_DELETES,

  /** Writing updated doc values, opening the new segments. */
  OPEN_READERS,

  /**
   * Waiting for merges of small segments, as {@code
   * IndexWriterConfig.setMaxFullFlushMergeWaitMillis} allows, and handing other merges to the
   * scheduler, which may hold the caller back. Close to nothing if there are no merges.
   */
  MERGE_WAIT,

  /** Making and warming the new searcher. */
  WARM,

  /**
   * From the visible searcher until the old one was released. That closes its files, unless a
   * search still holds it; and deletes those that no commit and no newer reader needs.
   */
  RELEASE
}
