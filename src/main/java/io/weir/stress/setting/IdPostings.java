package io.weir.stress.setting;

import io.weir.stress.plan.KeyLayout;

/** How an arm looks up documents by their id. */
public enum IdPostings {
  /** As Lucene does: in files that the directory reads. */
  DEFAULT(KeyLayout.SHARED),
  /** In a dictionary on the heap. */
  RESIDENT(KeyLayout.APART),
  /** In a dictionary of which every page is read when it is opened. */
  PRELOADED(KeyLayout.APART);

  private final KeyLayout layout;

  IdPostings(KeyLayout layout) {
    this.layout = layout;
  }

  /** What index it takes. */
  public KeyLayout layout() {
    return layout;
  }
}
