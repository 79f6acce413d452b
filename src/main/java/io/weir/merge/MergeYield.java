package io.weir.merge;

/**
 * Decides when merges leave the disk to others; set by {@link RateLimitedMergeScheduler#setYield}
 * or {@link MergeTracker#setYield}. A merge asks before each write, and before each piece of its
 * input that it reads in order (see {@link io.weir.store.MergeReadsDirectory}). On {@code true} it
 * pauses for two milliseconds and asks again. It never pauses for more than half of its time, nor
 * for more than a second at once; a forced merge not at all while its deadline is at risk.
 *
 * <p>A merge that can yield also pauses while a commit is about to finish on the same disk, if that
 * is under pressure: a reopen waits for that commit. See {@link io.weir.store.Disk}.
 *
 * <p><b>Threads:</b> those of all merges, concurrently. {@link #standAside} is called thousands of
 * times a second, so it must be quick and must not block. <b>Failure:</b> an exception is logged;
 * that merge goes on and does not ask again.
 */
@FunctionalInterface
public interface MergeYield {

  /** Merges never yield, not even to commits. */
  MergeYield NEVER = () -> false;

  /** Whether a merge should pause now. */
  boolean standAside();

  /** The calling thread begins a merge or a part of one, possibly within another merge. */
  default void mergeBegins() {}

  /**
   * The merge or part that a thread began last has ended.
   *
   * @param thread the calling one, or one that cannot say so itself and may have died since
   */
  default void mergeEnds(Thread thread) {}
}
