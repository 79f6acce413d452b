package io.weir.stress.plan;

/** Where an index has the postings of its key; nothing else in it differs. */
public enum KeyLayout {
  /** In one group of files with those of all fields, as Lucene's default codec writes them. */
  SHARED,
  /** In files of their own, as {@link io.weir.store.ResidentKeys#codec} writes them. */
  APART
}
