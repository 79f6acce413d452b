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
   * Pages that only a merge has read are dropped behind it, and so are those of an index that
   * {@code addIndexes(Directory...)} copies. What a merge writes stays as long as memory is free.
   * Then as much of it stays as the page cache had of the input. If memory is too short for that,
   * about as much stays as readers used of the input: where they will look for it. At its end a
   * large merge reads the parts of stored fields, term vectors and vectors again that readers have
   * come to use meanwhile, or that were evicted. That needs {@link
   * WritebackMethod#SYNC_FILE_RANGE}, and a merge that a scheduler or tracker of Weir knows. {@link
   * ForecastSnapshot} says how well it foretells what readers use.
   */
  NEUTRAL;

  /** {@link #NEUTRAL}. */
  public static final MergePageCache DEFAULT = NEUTRAL;
}
