package io.weir.stress.setting;

/** Which thread unmaps a file that is closed. */
public enum Unmapping {
  /** One that holds nothing: {@code DeferredUnmapDirectory}. */
  DEFERRED,
  /** The one that closes the file, as in Lucene. */
  INLINE
}
