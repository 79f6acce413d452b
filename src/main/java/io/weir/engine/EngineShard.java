package io.weir.engine;

import io.weir.merge.MergeListener;
import io.weir.merge.MergeTotals;
import io.weir.merge.MergeTracker;
import io.weir.merge.MergeYield;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhases;
import io.weir.rate.ByteBudget;
import java.io.Closeable;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.store.Directory;

/**
 * What Weir adds to the engine of one shard: it tracks merges, warms merged segments, and monitors
 * the two kinds of refresh. The internal one makes documents visible to updates; the external one,
 * which includes an internal one, to searches.
 *
 * <p>An engine has two steps. It puts the {@link #tracker} into the writer's merge policy, before
 * the first merge. When its readers are open, it {@linkplain #attach attaches} the shard to the
 * node, which knows it from then on.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> the engine closes it, after itself.
 */
public final class EngineShard implements Closeable {

  private static final int RECENT_REFRESHES = 1024;

  private final ShardName name;
  private final Directory directory;
  private final MergeTracker tracker;
  private final IntSupplier shareWeight;
  private final Optional<ReopenPhases> phases;
  private final Optional<MergedSegmentWarmer> warmer;

  // Set once, by attach; the node is last.
  private volatile ReopenMonitor external; // null before
  private ReopenMonitor internal;
  private Optional<SlowRefreshes> slow = Optional.empty();
  private EngineNode node;

  private volatile int weight;
  private boolean closed; // guarded by this

  private final Object lifting = new Object();
  private volatile BooleanSupplier behind = () -> false;

  /**
   * For a shard whose writer is not in use yet.
   *
   * @param directory of the writer
   * @param budget of the node
   * @param shareWeight the index's share of the budget by its latest settings
   * @param phases of the internal refreshes, if the writer reports to them
   * @param warmer of the writer, if answers shall show its figures
   */
  public EngineShard(
      ShardName name,
      Directory directory,
      ByteBudget budget,
      IntSupplier shareWeight,
      Optional<ReopenPhases> phases,
      Optional<MergedSegmentWarmer> warmer) {
    this.name = Objects.requireNonNull(name, "name");
    this.directory = Objects.requireNonNull(directory, "directory");
    this.tracker = new MergeTracker(budget);
    this.shareWeight = Objects.requireNonNull(shareWeight, "shareWeight");
    this.phases = Objects.requireNonNull(phases, "phases");
    this.warmer = Objects.requireNonNull(warmer, "warmer");
    updateShareWeight();
    tracker.addListener(
        new MergeListener() {
          @Override
          public void mergeFinished(MergeTotals merge) {
            lift();
          }
        });
  }

  /**
   * Watches the refreshes of the open engine, and lets merges yield. A closed shard stays closed.
   * If this throws, the shard is as before, and its merges are still tracked.
   *
   * @param yield what merges consult; {@link EngineNode#readersFirst}, perhaps with the permissions
   *     that it needs
   * @param externalReaders those of searches
   * @param internalReaders those of updates
   */
  public synchronized void attach(
      EngineNode toNode,
      MergeYield yield,
      ReferenceManager<?> externalReaders,
      ReferenceManager<?> internalReaders) {
    if (closed) {
      return;
    }
    try {
      ReopenOptions options = new ReopenOptions(Optional.empty(), RECENT_REFRESHES);
      external = ReopenMonitor.attach(externalReaders, options);
      internal =
          ReopenMonitor.attach(internalReaders, phases.map(options::withPhases).orElse(options));
      slow = SlowRefreshes.watch(name.toString(), external, toNode.slowRefresh(), tracker::running);
      tracker.setYield(yield);
      node = toNode;
      node.add(this);
    } catch (Throwable e) {
      tracker.setYield(MergeYield.NEVER);
      detach();
      throw e;
    }
  }

  /** The shard's name. */
  public ShardName name() {
    return name;
  }

  /** Knows the merges of the shard. */
  public MergeTracker tracker() {
    return tracker;
  }

  /**
   * The engine has indexed or deleted a document: how long it takes until searches see that is
   * measured from when the shard had it.
   *
   * @param sequenceNumber the engine's own
   * @param handedOverNanos on the clock of {@link System#nanoTime}
   */
  public void written(long sequenceNumber, long handedOverNanos) {
    ReopenMonitor monitor = external;
    if (monitor != null) {
      monitor.indexed(sequenceNumber, handedOverNanos);
    }
  }

  /**
   * Lifts the cap while the engine slows indexing because merges have fallen behind. Call it when
   * the engine begins or stops slowing indexing; the shard itself looks again whenever a merge
   * ends.
   *
   * <p>An engine also slows indexing when the disk cannot keep up with the segments that indexing
   * writes. Merges at full speed would then do harm, so that reason alone lifts nothing.
   *
   * @param throttled whether the engine slows indexing, for any reason
   * @param maxMerges the number of merges, running and pending, at which it does so because of them
   */
  public void liftWhile(BooleanSupplier throttled, IntSupplier maxMerges) {
    behind = () -> throttled.getAsBoolean() && tracker.unfinishedMerges() >= maxMerges.getAsInt();
    lift();
  }

  private void lift() {
    synchronized (lifting) { // or a thread might apply an older decision last
      tracker.setLifted(behind.getAsBoolean());
    }
  }

  Directory directory() {
    return directory;
  }

  /** The monitor of the refreshes that searches see. */
  ReopenMonitor refreshes() {
    return external;
  }

  /** Takes the share from the settings of the index. */
  void updateShareWeight() {
    setShareWeight(shareWeight.getAsInt());
  }

  /** Changes the share of the budget. */
  void setShareWeight(int newWeight) {
    tracker.setShareWeight(newWeight);
    weight = newWeight;
  }

  /** The figures of the shard, as they appear in the answer. */
  Map<String, Object> figures() {
    Map<String, Object> figures =
        Figures.of(
            "weight", weight,
            "merges", Figures.ofMerges(tracker),
            "warmed", warmer.map(Figures::ofWarmed).orElse(null),
            "forced_merge", forcedMerge().orElse(null),
            "refresh",
                Figures.of(
                    "external",
                    Figures.ofRefreshes(external),
                    "internal",
                    Figures.ofRefreshes(internal)),
            "slow_refreshes", slow.map(SlowRefreshes::figures).orElse(null));
    figures.putAll(Figures.ofLayers(directory));
    return figures;
  }

  /** The progress of a forced merge; empty if none runs. */
  Optional<Map<String, Object>> forcedMerge() {
    return tracker.forcedMerge().map(Figures::ofForcedMerge);
  }

  /** The shard's name, for messages. */
  @Override
  public String toString() {
    return name.toString();
  }

  /** May be called more than once. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    detach();
  }

  /** Undoes what {@link #attach} has done, all of it or a part. */
  private void detach() {
    if (node != null) {
      node.remove(this);
    }
    slow.ifPresent(SlowRefreshes::close);
    if (internal != null) {
      internal.close();
    }
    if (external != null) {
      external.close();
    }
  }
}
