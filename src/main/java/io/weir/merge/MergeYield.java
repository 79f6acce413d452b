package io.weir.merge;

/**
 * Says when merges should let others have the disk; {@link RateLimitedMergeScheduler#setYield}. A
 * merge asks before it writes, and before it reads to verify its input (see {@link
 * io.weir.store.MergeReadsDirectory}), stands aside for two milliseconds if told to, and asks
 * again; but never for more than half of its time.
 *
 * <p><b>Threads:</b> all of every merge's, at once; {@link #standAside} is asked thousands of times
 * a second, so it is quick and does not block. <b>Failure:</b> one that throws is logged and not
 * asked again by that merge, which goes on.
 */
@FunctionalInterface
public interface MergeYield {

  /** Merges stand aside for nobody. */
  MergeYield NEVER = () -> false;

  /** Whether a merge should do nothing now. */
  boolean standAside();

  /** The calling thread begins a merge, or to help with one; perhaps in the midst of another. */
  default void mergeBegins() {}

  /** What the calling thread began last has ended. */
  default void mergeEnds() {}
}
