package io.weir.stress.engine;

import io.weir.stress.arm.LargeMerge;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/**
 * A large merge by the engine: forced, or of what its merge policy chooses when it allows few
 * segments.
 *
 * <p>A natural merge is over when no merge reads a segment that was there when it began: under load
 * there are always further merges. An engine starts the merges that wait for a thread one after the
 * other, so there must be none at three looks in a row: the end is seen 0.3 s late.
 *
 * <p><b>Threads:</b> that of the merge. <b>Failure:</b> closing the client ends it.
 */
final class EngineMerger implements LargeMerge.Merger {

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);
  private static final int QUIET_LOOKS = 3;

  private final EngineIndex index;
  private final NanoClock clock;
  private final MergeWorkload workload;
  private final Runnable mergedNothing;

  /**
   * A merge that has not begun.
   *
   * @param mergedNothing hears that the policy found nothing to merge
   */
  EngineMerger(EngineIndex index, NanoClock clock, MergeWorkload workload, Runnable mergedNothing) {
    this.index = index;
    this.clock = clock;
    this.workload = workload;
    this.mergedNothing = mergedNothing;
  }

  @Override
  public void merge() throws IOException, InterruptedException {
    switch (workload) {
      case FORCED -> index.forceMerge();
      case NATURAL -> mergeNaturally();
      case NONE -> throw new IllegalStateException("nothing to merge");
    }
  }

  private void mergeNaturally() throws IOException, InterruptedException {
    NaturalMerges merges = index.naturalMerges().orElseThrow();
    Set<EngineSegment> there = merges.segments();
    long before = merges.ended();
    merges.begin();
    for (int quiet = 0; quiet < QUIET_LOOKS; quiet++) {
      clock.parkNanos(this, LOOK_EVERY.toNanos());
      if (isMerging(merges, there)) {
        quiet = -1; // the looks begin anew
      }
    }
    if (merges.ended() == before) {
      mergedNothing.run();
    }
  }

  private static boolean isMerging(NaturalMerges merges, Set<EngineSegment> some)
      throws IOException, InterruptedException {
    Set<EngineSegment> now = merges.segments();
    return some.stream().map(EngineSegment::asMerging).anyMatch(now::contains);
  }
}
