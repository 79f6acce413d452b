package io.weir.stress.arm;

import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
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

  WriterMerge(
      IndexWriter writer, TieredMergePolicy policy, NanoClock clock, MergeWorkload workload) {
    this.writer = writer;
    this.policy = policy;
    this.clock = clock;
    this.workload = workload;
  }

  @Override
  public void merge() throws IOException {
    switch (workload) {
      case FORCED -> writer.forceMerge(1);
      case NATURAL -> mergeNaturally();
      case NONE -> throw new IllegalStateException("nothing to merge");
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
