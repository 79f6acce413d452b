package io.weir.nrt;

/**
 * The phases of a reopen, in order. They do not overlap; their sum may be less than the whole.
 * {@link #FLUSH} to {@link #MERGE_WAIT} are known only with {@link ReopenPhases#infoStream}, {@link
 * #WARM} and {@link #RELEASE} only with {@link ReopenPhases#searcherFactory}.
 */
public enum ReopenPhase {
  /**
   * From the call until the reopen could begin, because another one was in progress. Known for
   * reopens by {@link ReopenMonitor#maybeRefresh} and {@link ReopenMonitor#maybeRefreshBlocking}.
   */
  LOCK_WAIT,

  /**
   * Writing buffered documents as segments, including the wait for a commit that is flushing. If
   * the manager does not apply all deletes and there are none, it includes opening the readers.
   */
  FLUSH,

  /** Finding the documents that match deleted terms and queries. */
  APPLY_DELETES,

  /** Writing updated doc values and opening the new segments. */
  OPEN_READERS,

  /**
   * Waiting for merges of small segments, as {@code
   * IndexWriterConfig.setMaxFullFlushMergeWaitMillis} allows, and passing other merges to the
   * scheduler, which may stall the caller. Almost zero if there are no merges.
   */
  MERGE_WAIT,

  /** Creating and warming the new searcher. */
  WARM,

  /**
   * From the visibility of the new searcher until the old one was released. Releasing it closes its
   * files, unless a search still holds it, and deletes files that no commit or newer reader needs.
   */
  RELEASE
}
