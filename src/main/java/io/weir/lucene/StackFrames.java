package io.weir.lucene;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

  /** Waits here for another thread's refresh; {@code maybeRefresh} does not wait. */
  public static final String AWAIT_REFRESH =
      "org.apache.lucene.search.ReferenceManager.maybeRefreshBlocking";

  /**
   * What other threads do, by a part of a frame's {@code class.method}; of a stack with several,
   * the first in this list.
   */
  public enum Work {
    /** A merge, on whatever thread. */
    MERGE("index.IndexWriter.merge(", "index.IndexWriter.mergeMiddle("),
    /** A commit, from its flush to its last sync. */
    COMMIT("index.IndexWriter.commitInternal(", "index.IndexWriter.prepareCommitInternal("),
    /** A flush of buffered documents, by a commit or because the buffer is full. */
    FLUSH("index.DocumentsWriterPerThread.flush("),
    /** A search, or a stored document that it found. */
    SEARCH(
        "search.IndexSearcher.search", "search.IndexSearcher.doc", "StoredFieldsReader.document("),
    /** Documents are added, changed or deleted. */
    INDEXING("index.IndexWriter.update", "index.IndexWriter.delete", "index.IndexWriter.addDoc");

    private final List<String> methods;

    Work(String... methods) {
      this.methods = List.of(methods);
    }

    /** That of a stack; empty if none of these is in it. */
    public static Optional<Work> of(List<StackTraceElement> stack) {
      List<String> names =
          stack.stream()
              .map(frame -> frame.getClassName() + "." + frame.getMethodName() + "(")
              .toList();
      return Stream.of(values())
          .filter(
              work ->
                  names.stream().anyMatch(name -> work.methods.stream().anyMatch(name::contains)))
          .findFirst();
    }
  }

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
