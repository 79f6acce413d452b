package io.weir.stress.arm;

import io.weir.control.DeadlineSnapshot;
import io.weir.control.GoalOptions;
import io.weir.control.Latencies;
import io.weir.control.LatencyGoal;
import io.weir.control.LatencyTarget;
import io.weir.control.MergeDeadline;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.procfs.Procfs;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.arm.load.Reopener;
import io.weir.stress.arm.load.Reopens.Reopen;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.MergeCounters;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.meters.WriterSamples;
import io.weir.stress.arm.storage.ArmIndex;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.TieredMergePolicy;

/**
 * An index of Lucene in this JVM, with a writer, a searcher that is reopened, and perhaps a latency
 * goal, which holds the latency of reopens, or of searches, from their due times.
 *
 * <p><b>Ownership:</b> closes the goal alone.
 */
final class LuceneTarget implements Target, Closeable {

  private static final long BYTES_PER_MEGABYTE = 1_000_000;

  private final ArmIndex index;
  private final ArmSettings settings;
  private final Timeline timeline;
  private final DocumentVectors vectors;
  private final MergeCounters merges;
  private final WriterMerge large;
  private final long indexBytes;
  private final Updater.ToWriter updates;
  private final Reopener reopener;
  private final Optional<LatencyGoal> goal;
  private final Optional<Latencies> searches; // of the goal, if it holds those
  private final WriterSamples samples;

  /**
   * Opens the goal if {@code settings} ask for one.
   *
   * @param vectors of queries
   * @param indexBytes about what a forced merge will write
   */
  LuceneTarget(
      ArmIndex index,
      ArmSettings settings,
      DocumentVectors vectors,
      Timeline timeline,
      Reopener reopener,
      long indexBytes) {
    this.index = index;
    this.settings = settings;
    this.vectors = vectors;
    this.timeline = timeline;
    this.merges = index.counters();
    this.reopener = reopener;
    this.large =
        new WriterMerge(
            index.writer(),
            index.policy(),
            timeline.clock(),
            settings,
            merges.throttle().map(MergeCounters.Throttle::scheduler));
    this.indexBytes = indexBytes;
    this.updates = index.updates();
    Optional<LatencyTarget> held = settings.get(ArmSetting.HOLD);
    this.goal = held.map(unused -> openGoal());
    this.searches = held.flatMap(latency -> hold(goal.orElseThrow(), latency));
    this.samples = new WriterSamples(Procfs.SYSTEM, merges, goal, large::deadline);
  }

  private LatencyGoal openGoal() {
    MergeCounters.Throttle weir = merges.throttle().orElseThrow();
    return new LatencyGoal(weir.budget(), List.of(weir.scheduler()), GoalOptions.DEFAULT);
  }

  /** Has it hold a latency; returns what searches report to, if they have to. */
  private Optional<Latencies> hold(LatencyGoal opened, LatencyTarget held) {
    Optional<Latencies> reported = Optional.empty();
    if (held.latency().equals("reopen")) {
      opened.hold(reopener.monitor(), held.percentile(), held.limit());
    } else {
      reported = Optional.of(opened.hold(held.latency(), held.percentile(), held.limit()));
    }
    opened.keepAbove(large::neededBytesPerSecond);
    return reported;
  }

  @Override
  public void refresh(Reopen reopen) throws IOException {
    reopener.refresh(reopen);
  }

  @Override
  public int updatesAtOnce() {
    return 1;
  }

  @Override
  public int updateThreads() {
    return 1;
  }

  @Override
  public void update(List<Updater.Update> some, long dueNanos) throws IOException {
    updates.update(some, dueNanos);
  }

  @Override
  public int search(SearchQuery query, long dueNanos) throws IOException {
    Optional<Latencies.Running> running =
        searches.map(reported -> reported.begin(timeline.onClock(dueNanos)));
    try {
      return reopener.search(query.toLucene(vectors)); // a vector takes microseconds
    } finally {
      running.ifPresent(Latencies.Running::close);
    }
  }

  @Override
  public void commit() throws IOException {
    index.writer().commit();
  }

  @Override
  public void merge() throws IOException {
    large.merge();
  }

  @Override
  public void sample(Sampler.Line line) {
    samples.sample(line);
  }

  @Override
  public OptionalDouble mergeShare() {
    long bytes =
        settings.get(ArmSetting.MERGE) == MergeWorkload.FORCED
            ? merges.meter().forcedBytes()
            : merges.meter().writtenBytes();
    return OptionalDouble.of(Math.clamp((double) bytes / indexBytes, 0, 1));
  }

  @Override
  public String progress() {
    return "; %d MB merged%s"
        .formatted(
            merges.meter().writtenBytes() / BYTES_PER_MEGABYTE,
            merges.capTrouble().lifts() == 0 ? "" : "; cap lifted");
  }

  @Override
  public boolean hangsUp() {
    return false;
  }

  /** What observers see of it. */
  ArmObserver.Parts parts() {
    return new ArmObserver.Parts(
        merges.throttle().map(MergeCounters.Throttle::budget),
        merges.throttle().map(MergeCounters.Throttle::scheduler),
        index.writer().getDirectory(),
        reopener.monitor(),
        goal);
  }

  /** How the deadline came out; nothing if there was none, or the arm ended first. */
  Values deadline() {
    Optional<Duration> time = settings.get(ArmSetting.DEADLINE);
    return time.isPresent() && timeline.span(Phase.AFTER).isPresent()
        ? samples.deadline(time.get(), timeline.span(Phase.DURING).orElseThrow())
        : Values.NONE;
  }

  /** What must be known of the goal. */
  List<RunWarning> goalWarnings() {
    return goal.map(held -> ArmWarnings.ofGoal(held.snapshot())).orElse(List.of());
  }

  @Override
  public void close() {
    goal.ifPresent(LatencyGoal::close);
  }

  /**
   * A large merge by the arm's own writer: forced, or of what the policy chooses when it allows few
   * segments.
   *
   * <p><b>Threads:</b> that of the merge. <b>Failure:</b> a rollback of the writer ends it.
   */
  static final class WriterMerge implements LargeMerge.Merger {

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
}
