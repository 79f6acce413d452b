package io.weir.merge;

import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentInfos;

/**
 * Knows the merges of a writer whose scheduler cannot be replaced, as in a search engine: it wraps
 * the merge policy instead. Each merge then has a kind, a budget and figures, as under a {@link
 * RateLimitedMergeScheduler}.
 *
 * <pre>{@code
 * MergeTracker tracker = new MergeTracker(budget);
 * config.setMergePolicy(tracker.track(config.getMergePolicy()));
 * }</pre>
 *
 * <p><b>What it needs.</b> A {@link RateLimitedDirectory} below the writer's directory charges the
 * bytes; without one, merges are known but not charged. The tracked policy must be the writer's
 * own, outside all policies that wrap merges. Such a policy usually hands over a new merge and asks
 * the wrapped one only for its readers; a merge hidden in this way is charged to the directory's
 * budget, and nothing else is known of it. An {@link IndexWriter} accepts another policy at any
 * time, by {@link IndexWriter#getConfig}.
 *
 * <p><b>Waiting.</b> As under the scheduler: an abort, a rollback or {@code deleteAll} ends a wait
 * at once. A merge that a reopen or a commit waits for is only debited. Before a vector graph
 * merges wait for room on the heap, as under the scheduler; one that waits keeps its thread.
 *
 * <p><b>What it cannot do.</b> The scheduler decides how many merges run and which begins next. Its
 * own limit still applies, also to critical merges; the lower limit wins. {@code IndexWriter.close}
 * waits for merges under their cap: call {@link #setLifted} before. Before Lucene 10.5, the threads
 * of a pool on which a format builds the vector graphs of a merge are unknown: a {@link MergeYield}
 * takes their reads for those of others, and a budget that counts reads does not count theirs, nor
 * does a figure count the processor time that they use. A merge of {@code
 * addIndexes(CodecReader...)} into an empty index with an index sort is charged to the directory's
 * budget and not to its own.
 *
 * <p><b>Threads:</b> any thread may call every method. Settings may be changed at any time. They
 * apply to running merges too, except the yield, the read meter and the processor share.
 * <b>Ownership:</b> one tracker for each writer; another writer may follow when the first is
 * closed. Not for a writer with a {@link RateLimitedMergeScheduler}, where both would charge its
 * merges. The budget belongs to its creator. Needs no close. <b>Failure:</b> a fault in the
 * accounting of a merge is logged and does not affect the merge.
 */
public final class MergeTracker implements MergeActivity {

  private final WriterMerges merges;
  private final TrackedMerges tracked;

  /** With a budget that may be shared with other trackers, schedulers and directories. */
  public MergeTracker(ByteBudget budget) {
    this(budget, MergeSchedulingClass.OF_THIS_PROCESS, GraphMemory.OF_THIS_PROCESS);
  }

  MergeTracker(ByteBudget budget, MergeSchedulingClass schedulingClass, GraphMemory graphMemory) {
    this.merges =
        new WriterMerges(budget, NanoClock.SYSTEM, schedulingClass, graphMemory, message -> {});
    this.tracked = new TrackedMerges(merges);
  }

  /**
   * Returns a policy that chooses the same merges as {@code policy}; this tracker knows them.
   *
   * @param policy of the writer; one that is tracked here already is returned as it is
   */
  public MergePolicy track(MergePolicy policy) {
    return policy instanceof TrackedMergePolicy own && own.isOf(tracked)
        ? policy
        : new TrackedMergePolicy(Objects.requireNonNull(policy, "policy"), tracked);
  }

  /** Sets the share of the budget, relative to competing trackers and schedulers. */
  public void setShareWeight(int weight) {
    merges.budgets.setWeight(weight);
  }

  /**
   * Sets the rate of one kind of merges, within the budget's.
   *
   * @throws IllegalArgumentException for critical merges, which never wait
   */
  public void setRate(MergeKind kind, Rate rate) {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(rate, "rate");
    merges.budgets.setRate(kind, rate);
  }

  /**
   * Sets what merges that begin from now on consult before they write or read. Critical merges must
   * not yield, and none does while the cap is lifted.
   */
  public void setYield(MergeYield yield) {
    Objects.requireNonNull(yield, "yield");
    merges.setYield(yield);
  }

  /**
   * Sets what counts the reads of merges that begin from now on, while the budget counts reads
   * ({@link ByteBudget#setCounting}).
   */
  public void setReadMeter(MergeReadMeter meter) {
    Objects.requireNonNull(meter, "meter");
    merges.setReadMeter(meter);
  }

  /**
   * Sets whether merges compute in Linux's class {@code SCHED_IDLE}; false by default. {@link
   * MergeSchedulingClass} says when, and what it takes. Other threads on which Lucene builds parts
   * of a merge are not in it. Running merges leave it at once; those that begin from now on enter
   * it.
   */
  public void setIdleClass(boolean idle) {
    merges.setIdleClass(idle);
  }

  /** What {@link #setIdleClass} says. */
  public boolean hasIdleClass() {
    return merges.hasIdleClass();
  }

  /**
   * Sets what merges that begin from now on pay for the processor time of their threads. They pay
   * nothing before this call. The share belongs to its creator.
   */
  public void setProcessorShare(ProcessorShare share) {
    merges.setProcessorShare(Objects.requireNonNull(share, "share"));
  }

  /**
   * Lets all merges run at full speed, debited to the budget, or holds them back again; both act on
   * running merges too. For a time when indexing waits for merges, or before the writer closes.
   */
  public void setLifted(boolean lifted) {
    merges.backlog.setLifted(lifted);
  }

  @Override
  public void addListener(MergeListener listener) {
    Objects.requireNonNull(listener, "listener");
    merges.listeners.add(listener);
  }

  @Override
  public void removeListener(MergeListener listener) {
    Objects.requireNonNull(listener, "listener");
    merges.listeners.remove(listener);
  }

  @Override
  public List<MergeTotals> running() {
    return merges.running();
  }

  @Override
  public MergeKindTotals totals(MergeKind kind) {
    Objects.requireNonNull(kind, "kind");
    return merges.totals(kind);
  }

  @Override
  public Optional<ForcedMergeProgress> forcedMerge() {
    return merges.forcedMerge();
  }

  /** Whether merges keep up with indexing; the number of merge slots is unknown. */
  @Override
  public MergeDebtSnapshot debt() {
    return merges.backlog.debt(OptionalInt.empty());
  }

  /**
   * The number of merges that run or wait for the scheduler. An engine that slows indexing at a
   * limit of merges compares it with that limit.
   */
  public int unfinishedMerges() {
    return tracked.unfinished();
  }

  /**
   * Aborts all running and pending forced merges. The index stays as it was, and the writer stays
   * open. A thread that waits in {@code forceMerge} gets the exception that {@link
   * RateLimitedMergeScheduler#cancelForcedMerges} describes. What Lucene remembers is the same too:
   * until the next {@code forceMerge}, a natural merge of the segments concerned counts as forced.
   *
   * <p>The running merges end soon after this method returns. A pending one ends when the scheduler
   * begins it; until then it keeps its segments from other merges.
   *
   * @return the number of cancelled merges
   */
  public int cancelForcedMerges() {
    return tracked.cancelForced();
  }

  /** Chooses the same merges as the policy below, as merges that a tracker knows. */
  static final class TrackedMergePolicy extends ForwardingMergePolicy {

    private final TrackedMerges tracked;

    TrackedMergePolicy(MergePolicy in, TrackedMerges tracked) {
      super(in);
      this.tracked = tracked;
    }

    boolean isOf(TrackedMerges merges) {
      return tracked == merges;
    }

    @Override
    public MergeSpecification findMerges(
        MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
      tracked.saw(infos);
      return super.findMerges(trigger, infos, context);
    }

    @Override
    MergeSpecification chosen(MergeSpecification found, Origin origin) {
      return tracked.chosen(found, origin);
    }
  }
}
