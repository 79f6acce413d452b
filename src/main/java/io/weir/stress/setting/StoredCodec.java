package io.weir.stress.setting;

/** Which codec writes segments. */
public enum StoredCodec {
  /** Lucene's default. */
  DEFAULT,
  /** Lucene's default with stored fields that are smaller, and slower to write and to read. */
  BEST_COMPRESSION
}
