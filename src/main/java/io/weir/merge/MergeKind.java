package io.weir.merge;

import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy.OneMerge;

/**
 * What a merge is for, as far as it can be told when it starts.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter}: {@code preparePointInTimeMerge}, {@code
 * forceMerge}, {@code registerMerge}, {@code addIndexes(CodecReader...)}.
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
    if (isCritical(merge)) {
      return CRITICAL;
    }
    if (merge.segments.isEmpty()) {
      return OTHER;
    }
    return isForced(merge) ? FORCED : NATURAL;
  }

  /** Whether a {@code forceMerge} waits for it now; this may turn true while it runs. */
  static boolean isForced(OneMerge merge) {
    return merge.getStoreMergeInfo().mergeMaxNumSegments() != -1;
  }

  /**
   * Whether a reader or a commit waits for it. The trigger that comes with a merge cannot tell:
   * whoever calls next takes all that is pending. But the writer wraps exactly these merges in a
   * nested class of its own.
   */
  private static boolean isCritical(OneMerge merge) {
    return merge.getClass().getNestHost() == IndexWriter.class;
  }
}
