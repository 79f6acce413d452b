package io.weir.stress.setting;

/** When a commit syncs its own files. */
public enum CommitSync {
  /** With the files of the segments, without the writer's lock: {@code DeferredSyncDirectory}. */
  DEFERRED,
  /** First and under the writer's lock, as in Lucene. */
  INLINE
}
