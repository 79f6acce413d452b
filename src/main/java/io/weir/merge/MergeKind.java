package io.weir.merge;

import io.weir.lucene.Merges;
import org.apache.lucene.index.MergePolicy.OneMerge;

/**
 * What a merge is for, as far as it can be told when it starts.
 *
 * <p>Source: {@link Merges}; and Lucene 10.5.1, {@code IndexWriter.addIndexes(CodecReader...)},
 * whose merges have readers and no segments.
 */
public enum MergeKind {
  /** Found by the merge policy to keep the index in shape; {@code forceMergeDeletes} as well. */
  NATURAL,

  /**
   * Part of a {@code forceMerge}, or a later merge of a segment that one has met: Lucene does not
   * tell them apart. A natural merge that was running when {@code forceMerge} was called is waited
   * for by it, and is cancelled with it, but keeps its kind.
   */
  FORCED,

  /** One that {@code getReader} or {@code commit} waits for. Never paused. */
  CRITICAL,

  /** Of {@code addIndexes(CodecReader...)}: it merges readers, and its size is not known. */
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
