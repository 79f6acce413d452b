package io.weir.report.model;

/** The parts of a reopen, in their order. */
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

  /** The column of {@code reopens.csv} that holds it; null for a computed part. */
  String column() {
    return column;
  }

  /** Its number in a bar, from 1. */
  public int number() {
    return ordinal() + 1;
  }
}
