package io.weir.report.model;

/** What a reopen spends its time on, in the order in which it happens. */
public enum ReopenPart {
  WAIT("waiting to start", null),
  FLUSH("flush", "flush_nanos"),
  APPLY_DELETES("apply deletes", "apply_deletes_nanos"),
  OPEN_READERS("open readers", "open_readers_nanos"),
  MERGE_WAIT("merge wait", "merge_wait_nanos"),
  WARM("warm", "warm_nanos"),
  RELEASE("release", "release_nanos"),
  OTHER("other", null);

  private final String label;
  private final String column;

  ReopenPart(String label, String column) {
    this.label = label;
    this.column = column;
  }

  public String label() {
    return label;
  }

  /** The column of {@code reopens.csv} that tells it; null for what is computed. */
  String column() {
    return column;
  }

  /** What stands for it in a bar: from 1. */
  public int number() {
    return ordinal() + 1;
  }
}
