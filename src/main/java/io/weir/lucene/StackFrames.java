package io.weir.lucene;

import java.util.List;

/**
 * Lucene's methods in a stack, as parts of a frame's {@code class.method}.
 *
 * <p>Source: Lucene 10.5.1. If a method is renamed, a stack is harder to explain, but nothing
 * breaks.
 */
public final class StackFrames {

  /** {@code ConcurrentMergeScheduler} waits while too many merges are pending. */
  public static final String MAYBE_STALL = "MergeScheduler.maybeStall";

  /** {@code IndexWriter.getReader} waits here for merges of small segments. */
  public static final String AWAIT_MERGES = "index.MergePolicy$MergeSpecification.await";

  /** A merge; with a {@code SerialMergeScheduler} it runs on the reopening thread. */
  public static final String MERGE = "index.IndexWriter.merge";

  /** Calls {@code SearcherFactory.newSearcher}, and does nothing else. */
  public static final String GET_SEARCHER = "search.SearcherManager.getSearcher";

  /** Calls the listeners of a refresh, under the manager's lock. */
  public static final String NOTIFY_LISTENERS = "search.ReferenceManager.notifyRefreshListeners";

  /** Every write of an {@code FSDirectory} output to its file. */
  public static final String FILE_OUTPUT_WRITE = "store.FSDirectory$FSIndexOutput$1.write";

  /** Opens a segment. */
  public static final String NEW_SEGMENT_READER = "index.SegmentReader.<init>";

  /** Opens the files that readers of a segment share. */
  public static final String NEW_SEGMENT_CORE_READERS = "index.SegmentCoreReaders.<init>";

  /** Applies buffered deletes and updates. */
  public static final String FROZEN_UPDATES = "index.FrozenBufferedUpdates";

  /** Looks up a term. */
  public static final String TERMS_ENUM = "TermsEnum";

  /**
   * Where a manager begins to refresh, or an application without one; outer frames belong to the
   * application.
   */
  private static final List<String> REFRESH =
      List.of(
          "org.apache.lucene.search.ReferenceManager.doMaybeRefresh",
          "org.apache.lucene.search.ReferenceManager.maybeRefresh",
          "org.apache.lucene.index.DirectoryReader.openIfChanged");

  private StackFrames() {}

  /** Whether this {@code class.method} is where a refresh begins. */
  public static boolean isRefresh(String classAndMethod) {
    return REFRESH.stream().anyMatch(classAndMethod::startsWith);
  }

  /** Whether the class belongs to Lucene. */
  public static boolean isLucenes(String className) {
    return className.startsWith("org.apache.lucene.");
  }
}
