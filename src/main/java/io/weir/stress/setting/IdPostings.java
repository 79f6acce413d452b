package io.weir.stress.setting;

/** Where an index has the dictionary of its ids, and how an arm looks documents up by them. */
public enum IdPostings {
  /** As Lucene does: in one group of files with those of all fields, which the directory reads. */
  DEFAULT,
  /**
   * In files of their own, as {@link io.weir.store.ResidentKeys#codec} writes them, and from there
   * on the heap.
   */
  RESIDENT
}
