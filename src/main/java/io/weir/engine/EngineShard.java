package io.weir.elasticsearch;

import io.weir.merge.ForcedMergeProgress;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.MergeTotals;
import io.weir.merge.MergeTracker;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhases;
import io.weir.rate.ByteBudget;
import io.weir.store.DeferredUnmapDirectory;
import io.weir.store.DirectoryPlan;
import io.weir.store.UnmapSnapshot;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackSnapshot;
import java.io.Closeable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.store.Directory;
import org.elasticsearch.index.engine.EngineConfig;
import org.elasticsearch.index.shard.ShardId;

/**
 * What Weir adds to the engine of one shard: it tracks merges, warms merged segments, and monitors
 * the two kinds of refresh. The internal one makes documents visible to updates; the external one,
 * which includes an internal one, to searches.
 *
 * <p><b>Threads:</b> any; it is joined to its node before others know it. <b>Ownership:</b> the
 * engine closes it, after itself.
 */
final class WeirShard implements Closeable {

  private static final int RECENT_REFRESHES = 1024;

  private final ShardId id;
  private final Directory directory;
  private final MergeTracker tracker;
  private final ReopenPhases phases = new ReopenPhases();

  // Set once, by join.
  private WeirNode node;
  private ReopenMonitor external;
  private ReopenMonitor internal;
  private SlowRefreshes slow;

  /**
   * Puts Weir into the configuration of a writer. The tracker is the outermost policy, so the
   * merges that the engine's scheduler sees are the tracker's.
   */
  WeirShard(EngineConfig engine, Directory directory, ByteBudget budget, IndexWriterConfig writer) {
    this.id = engine.getShardId();
    this.directory = directory;
    this.tracker = new MergeTracker(budget);
    tracker.setShareWeight(engine.getIndexSettings().getValue(WeirSettings.MERGE_WEIGHT));
    MergedSegmentWarmer.addTo(writer);
    writer
        .setInfoStream(phases.infoStream(writer.getInfoStream()))
        .setMergePolicy(tracker.track(writer.getMergePolicy()));
  }

  /** Lets merges yield to the node's readers, and watches the refreshes of the open engine. */
  void join(
      WeirNode toNode, ReferenceManager<?> externalReaders, ReferenceManager<?> internalReaders) {
    tracker.setYield(toNode.readersFirst());
    ReopenOptions options = new ReopenOptions(Optional.empty(), RECENT_REFRESHES);
    internal = ReopenMonitor.attach(internalReaders, options.withPhases(phases));
    external = ReopenMonitor.attach(externalReaders, options);
    slow = SlowRefreshes.of(id, external, toNode.slowRefresh(), tracker);
    node = toNode;
    node.add(this);
  }

  ShardId id() {
    return id;
  }

  MergeTracker tracker() {
    return tracker;
  }

  Directory directory() {
    return directory;
  }

  /** The monitor of the refreshes that searches see. */
  ReopenMonitor refreshes() {
    return external;
  }

  /** The figures of the shard, as they appear in the answer. */
  Map<String, Object> figures() {
    Map<String, Object> merges = new LinkedHashMap<>();
    for (MergeKind kind : MergeKind.values()) {
      merges.put(name(kind), totals(tracker.totals(kind)));
    }
    merges.put("running", tracker.running().stream().map(WeirShard::running).toList());
    return Figures.of(
        "merges", merges,
        "forced_merge", forcedMerge().orElse(null),
        "refresh",
            Figures.of(
                "external", RefreshFigures.of(external), "internal", RefreshFigures.of(internal)),
        "slow_refreshes", slow.figures(),
        "layers", layers(),
        "writeback",
            DirectoryPlan.find(directory, WritebackDirectory.class)
                .map(layer -> writeback(layer.snapshot()))
                .orElse(null),
        "unmapping",
            DirectoryPlan.find(directory, DeferredUnmapDirectory.class)
                .map(layer -> unmapping(layer.snapshot()))
                .orElse(null));
  }

  /** The progress of a forced merge; empty if none runs. */
  Optional<Map<String, Object>> forcedMerge() {
    return tracker.forcedMerge().map(WeirShard::progress);
  }

  /** Cancels the forced merges; their number. */
  int cancelForcedMerges() {
    return tracker.cancelForcedMerges();
  }

  private List<Map<String, Object>> layers() {
    return DirectoryPlan.report(directory).stream()
        .map(
            layer ->
                Figures.of(
                    "layer", name(layer.layer()),
                    "active", layer.active(),
                    "reason", layer.reason().isEmpty() ? null : layer.reason()))
        .toList();
  }

  private static Map<String, Object> totals(MergeKindTotals totals) {
    return Figures.of(
        "running", totals.running(),
        "done", totals.done(),
        "aborted", totals.aborted(),
        "failed", totals.failed(),
        "written_bytes", totals.writtenBytes(),
        "pauses", totals.pauses(),
        "paused_millis", Duration.ofNanos(totals.pausedNanos()).toMillis());
  }

  private static Map<String, Object> running(MergeTotals merge) {
    return Figures.of(
        "segment", merge.segment().orElse(null),
        "kind", name(merge.kind()),
        "written_bytes", merge.writtenBytes(),
        "estimated_bytes",
            merge.estimatedBytes().isPresent() ? merge.estimatedBytes().getAsLong() : null,
        "elapsed_millis", merge.elapsed().toMillis(),
        "paused_millis", Duration.ofNanos(merge.pausedNanos()).toMillis());
  }

  private static Map<String, Object> progress(ForcedMergeProgress progress) {
    return Figures.of(
        "merges", progress.merges(),
        "done_bytes", progress.doneBytes(),
        "estimated_bytes",
            progress.estimatedBytes().isPresent() ? progress.estimatedBytes().getAsLong() : null,
        "done_percent",
            progress.fraction().isPresent()
                ? Math.round(progress.fraction().getAsDouble() * 1000) / 10.0
                : null,
        "elapsed_seconds", progress.elapsed().toSeconds(),
        "remaining_seconds", progress.remaining().map(Duration::toSeconds).orElse(null));
  }

  private static Map<String, Object> writeback(WritebackSnapshot writeback) {
    return Figures.of(
        "started_bytes", writeback.startedBytes(),
        "wait_millis", Duration.ofNanos(writeback.waitNanos()).toMillis(),
        "faults", writeback.faults(),
        "lost_writes", writeback.lostWrites());
  }

  private static Map<String, Object> unmapping(UnmapSnapshot unmapping) {
    return Figures.of(
        "pending_files", unmapping.pendingFiles(),
        "deferred_files", unmapping.deferredFiles(),
        "inline_files", unmapping.inlineFiles(),
        "failures", unmapping.failures());
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {
    if (node != null) {
      node.remove(this);
      internal.close();
      external.close();
    }
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
