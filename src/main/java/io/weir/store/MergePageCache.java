package io.weir.store;

/**
 * What merges leave in the page cache, which readers need.
 *
 * <p>A merge reads all of its input once more and writes as much. Without care that pushes out the
 * pages that searches use, during the merge and, with the merged segment, after it.
 */
public enum MergePageCache {
  /** The kernel decides what to keep. */
  KERNEL,

  /**
   * Pages that only a merge has read are dropped behind it. Of what it writes, as much stays as its
   * input had in the page cache before: where the readers of the input will look for it. That needs
   * {@link WritebackMethod#SYNC_FILE_RANGE}, and a merge that a scheduler or tracker of Weir knows.
   */
  NEUTRAL;

  /** {@link #NEUTRAL}. */
  public static final MergePageCache DEFAULT = NEUTRAL;
}
