package io.weir.report.model;

import java.util.Optional;

/** The parts of a reopen, in their order. */
public enum ReopenPart {
  WAIT("waiting to start"),
  FLUSH("flush", "flush_nanos"),
  APPLY_DELETES("apply deletes", "apply_deletes_nanos"),
  OPEN_READERS("open readers", "open_readers_nanos"),
  MERGE_WAIT("merge wait", "merge_wait_nanos"),
  WARM("warm", "warm_nanos"),
  RELEASE("release", "release_nanos"),
  OTHER("other");

  private final String label;
  private final Optional<String> column;

  ReopenPart(String label) {
    this.label = label;
    this.column = Optional.empty();
  }

  ReopenPart(String label, String column) {
    this.label = label;
    this.column = Optional.of(column);
  }

  public String label() {
    return label;
  }

  /** The column of {@code reopens.csv} that holds it; empty for a computed part. */
  Optional<String> column() {
    return column;
  }

  /** Its number in a bar, from 1. */
  public int number() {
    return ordinal() + 1;
  }
}
