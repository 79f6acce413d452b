package io.weir.stress.setting;

/** What an arm starts from. */
public enum Preset {
  /** Weir's directory and merge scheduler, with one budget. */
  WEIR,
  /** Plain Lucene; nothing of Weir's. */
  STOCK
}
