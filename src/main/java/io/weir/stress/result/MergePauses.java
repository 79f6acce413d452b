package io.weir.stress.result;

/**
 * What waited and what did not, by kind of merge, in the window of a {@link MergeResult}.
 *
 * @param natural merges that the merge policy chose
 * @param forced those of {@code forceMerge}
 * @param critical those that a reopen or a commit waited for; they are never to be paused
 * @param other all others
 */
public record MergePauses(
    PausedMerges natural, PausedMerges forced, PausedMerges critical, PausedMerges other) {

  /**
   * The merges of one kind.
   *
   * @param merges how many ran, wholly or in part
   * @param pauses waits for a grant
   * @param pausedSeconds how long those were, added over threads
   * @param bytes written
   */
  public record PausedMerges(long merges, long pauses, double pausedSeconds, long bytes) {}
}
