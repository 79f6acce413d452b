package io.weir.stress.plan;

/** What an arm starts from. */
public enum Preset {
  /** Weir's directory and budget in the write path. */
  WEIR,
  /** Plain Lucene; nothing of Weir's in the write path. */
  STOCK
}
