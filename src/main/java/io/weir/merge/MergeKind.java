package io.weir.merge;

import io.weir.lucene.Merges;
import org.apache.lucene.index.MergePolicy.OneMerge;

/**
 * The purpose of a merge, as known when it starts.
 *
 * <p>Source: {@link Merges}, and Lucene 10.5.1, {@code IndexWriter.addIndexes(CodecReader...)},
 * whose merges have readers and no segments.
 */
public enum MergeKind {
  /**
   * Chosen by the merge policy to maintain the index; also the merges of {@code forceMergeDeletes}.
   */
  NATURAL,

  /**
   * Part of a {@code forceMerge}, or a later merge of a segment that a {@code forceMerge} covers:
   * Lucene does not distinguish them. If a natural merge runs when {@code forceMerge} is called,
   * that call waits for it and can cancel it, but the merge keeps its kind.
   */
  FORCED,

  /** A merge that {@code getReader} or {@code commit} waits for. Never paused. */
  CRITICAL,

  /** A merge of {@code addIndexes(CodecReader...)}: it merges readers, and its size is unknown. */
  OTHER;

  /** The kind of a merge that is about to start. */
  static MergeKind of(OneMerge merge) {
    if (Merges.isCritical(merge)) {
      return CRITICAL;
    }
    if (merge.segments.isEmpty()) {
      return OTHER;
    }
    return Merges.isForced(merge) ? FORCED : NATURAL;
  }
}
