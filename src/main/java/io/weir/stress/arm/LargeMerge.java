package io.weir.stress.arm;

import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.TieredMergePolicy;

/**
 * The large merge in the middle of an arm, on a thread of its own so that the arm can be ended
 * while it runs.
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
  private volatile Throwable failure;
  private Thread thread;

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
   * @return false when the arm ended first, or the merge failed; it may still run then
   */
  boolean run(long startNanos) throws InterruptedException {
    if (settings.get(ArmSetting.MERGE) == MergeWorkload.NONE) {
      return timeline.awaitDue(startNanos + settings.get(ArmSetting.DURING).toNanos());
    }
    thread = Thread.ofPlatform().name("weir-large-merge").start(this::merge);
    while (!thread.join(LOOK_FOR_END_EVERY)) {
      if (timeline.ended()) {
        return false;
      }
    }
    return failure == null;
  }

  /** Waits for a merge that still runs; whoever calls this has rolled the writer back. */
  void awaitEnd() throws InterruptedException {
    if (thread != null) {
      thread.join();
    }
  }

  /** What ended the merge; null when nothing did. */
  Throwable failure() {
    return failure;
  }

  private void merge() {
    try {
      switch (settings.get(ArmSetting.MERGE)) {
        case FORCED -> writer.forceMerge(1);
        case NATURAL -> mergeNaturally();
        case NONE -> throw new IllegalStateException("nothing to merge");
      }
    } catch (Throwable t) {
      failure = t;
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
    synchronized (writer) { // as the method says that it wants
      return Set.copyOf(writer.getMergingSegments());
    }
  }
}
