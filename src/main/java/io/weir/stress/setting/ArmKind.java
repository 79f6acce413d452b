package io.weir.stress.setting;

/** What an arm runs on; each {@link Setting} says for which of these it means something. */
public enum ArmKind {
  /** Lucene in a JVM of {@code weir stress} or {@code weir sweep}: any setting. */
  STRESS,

  /** A search engine whose servers the run starts. Most of what is Lucene's it decides itself. */
  ENGINE,

  /** A cluster that runs already, so that nothing can be asked of its servers. */
  TARGET,

  /**
   * The search service of {@code weir load}. Its client sends the searches, in steps instead of
   * phases, and {@code merge=forced} begins again as soon as it ends.
   */
  LOAD,

  /** A cell of {@code weir index}: nothing is searched, reopened or merged by force. */
  INDEX
}
