package io.weir.stress.arm;

import io.weir.control.DeadlineSnapshot;
import io.weir.control.MergeDeadline;
import io.weir.merge.RateLimitedMergeScheduler;
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
 * A large merge by the arm's own writer: forced, or of what the policy chooses when it allows few
 * segments.
 *
 * <p><b>Threads:</b> that of the merge. <b>Failure:</b> a rollback of the writer ends it.
 */
final class WriterMerge implements LargeMerge.Merger {

  private static final Duration LOOK_FOR_END_EVERY = Duration.ofMillis(20);
  private static final double FEW_SEGMENTS_PER_TIER = 2;

  private final IndexWriter writer;
  private final TieredMergePolicy policy;
  private final NanoClock clock;
  private final MergeWorkload workload;
  private final Optional<RateLimitedMergeScheduler> scheduler;
  private final Optional<Duration> time;
  private volatile Optional<MergeDeadline> deadline = Optional.empty();

  /**
   * As {@code settings} ask.
   *
   * @param scheduler the writer's; empty if it is Lucene's own
   */
  WriterMerge(
      IndexWriter writer,
      TieredMergePolicy policy,
      NanoClock clock,
      ArmSettings settings,
      Optional<RateLimitedMergeScheduler> scheduler) {
    this.writer = writer;
    this.policy = policy;
    this.clock = clock;
    this.workload = settings.get(ArmSetting.MERGE);
    this.scheduler = scheduler;
    this.time = settings.get(ArmSetting.DEADLINE);
  }

  /** Whether the deadline holds; empty if there is none, or the merge does not run. */
  Optional<DeadlineSnapshot> deadline() {
    return deadline.map(MergeDeadline::snapshot);
  }

  /** The rate that the deadline needs; 0 without one. */
  long neededBytesPerSecond() {
    return deadline.map(MergeDeadline::neededBytesPerSecond).orElse(0L);
  }

  @Override
  public void merge() throws IOException {
    switch (workload) {
      case FORCED -> mergeByForce();
      case NATURAL -> mergeNaturally();
      case NONE -> throw new IllegalStateException("nothing to merge");
    }
  }

  private void mergeByForce() throws IOException {
    if (time.isEmpty()) {
      writer.forceMerge(1);
      return;
    }
    try (MergeDeadline opened = MergeDeadline.within(time.get(), scheduler.orElseThrow())) {
      deadline = Optional.of(opened);
      writer.forceMerge(1);
    } finally {
      deadline = Optional.empty();
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
