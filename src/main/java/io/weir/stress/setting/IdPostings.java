package io.weir.stress.setting;

/** How an arm looks up documents by their id. */
public enum IdPostings {
  /** As Lucene does: in files that the directory reads. */
  DEFAULT,
  /** In a dictionary on the heap. */
  RESIDENT,
  /** In a dictionary whose pages are all read when it is opened. */
  PRELOADED;

  /** Whether the index must hold the dictionary in files of its own. */
  public boolean isApart() {
    return this != DEFAULT;
  }
}
