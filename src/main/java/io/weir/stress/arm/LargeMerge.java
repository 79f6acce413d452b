package io.weir.stress.arm;

import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.TieredMergePolicy;

/**
 * The large merge in the middle of an arm, on a thread of its own, so that the arm can end while it
 * runs.
 *
 * <p><b>Threads:</b> {@link #run} and {@link #awaitEnd} from the arm's main thread.
 */
final class LargeMerge {

  private static final Duration LOOK_FOR_END_EVERY = Duration.ofMillis(20);
  private static final double FEW_SEGMENTS_PER_TIER = 2;

  private final IndexWriter writer;
  private final TieredMergePolicy policy;
  private final NanoClock clock;
  private final ArmSettings settings;
  private final Timeline timeline;
  private volatile Optional<Throwable> failure = Optional.empty();
  private Optional<Thread> thread = Optional.empty();

  LargeMerge(
      IndexWriter writer,
      TieredMergePolicy policy,
      NanoClock clock,
      ArmSettings settings,
      Timeline timeline) {
    this.writer = writer;
    this.policy = policy;
    this.clock = clock;
    this.settings = settings;
    this.timeline = timeline;
  }

  /**
   * Merges, or lets the same time pass when there is nothing to merge.
   *
   * @param startNanos now
   * @return false when the arm ended first, with the merge perhaps still running, or the merge
   *     failed
   */
  boolean run(long startNanos) throws InterruptedException {
    if (settings.get(ArmSetting.MERGE) == MergeWorkload.NONE) {
      return timeline.awaitDue(startNanos + settings.get(ArmSetting.DURING).toNanos());
    }
    Thread merging = Thread.ofPlatform().name("weir-large-merge").start(this::merge);
    thread = Optional.of(merging);
    while (!merging.join(LOOK_FOR_END_EVERY)) {
      if (timeline.ended()) {
        return false;
      }
    }
    return failure.isEmpty();
  }

  /** Waits for a merge that still runs; the caller has rolled the writer back. */
  void awaitEnd() throws InterruptedException {
    if (thread.isPresent()) {
      thread.get().join();
    }
  }

  /** Throws what ended the merge, if anything did. */
  void throwFailure() throws IOException {
    if (failure.isPresent()) {
      throw new IOException("the large merge failed: " + failure.get(), failure.get());
    }
  }

  private void merge() {
    try {
      switch (settings.get(ArmSetting.MERGE)) {
        case FORCED -> writer.forceMerge(1);
        case NATURAL -> mergeNaturally();
        case NONE -> throw new IllegalStateException("nothing to merge");
      }
    } catch (Throwable t) {
      failure = Optional.of(t);
      timeline.endAt(timeline.nowNanos());
    }
  }

  private void mergeNaturally() throws IOException {
    double usual = policy.getSegmentsPerTier();
    policy.setSegmentsPerTier(FEW_SEGMENTS_PER_TIER);
    try {
      writer.maybeMerge();
    } finally {
      policy.setSegmentsPerTier(usual);
    }
    // Only what was chosen now: under load there are always further merges.
    Set<SegmentCommitInfo> chosen = merging();
    while (merging().stream().anyMatch(chosen::contains)) {
      clock.parkNanos(this, LOOK_FOR_END_EVERY.toNanos());
    }
  }

  private Set<SegmentCommitInfo> merging() {
    synchronized (writer) { // as the Javadoc of the method requires
      return Set.copyOf(writer.getMergingSegments());
    }
  }
}
