package io.weir.opensearch;

import io.weir.merge.ForcedMergeProgress;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.MergeTotals;
import io.weir.merge.MergeTracker;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.store.DeferredUnmapDirectory;
import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentSnapshot;
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
import org.apache.lucene.index.IndexWriter.IndexReaderWarmer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LiveIndexWriterConfig;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.store.Directory;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.shard.OpenSearchMergePolicy;

/**
 * What Weir adds to the engine of one shard: it tracks merges, warms merged segments, and monitors
 * the two kinds of refresh. The internal one makes documents visible to updates; the external one,
 * which includes an internal one, to searches.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> the engine closes it, after itself. <b>Failure:</b> the
 * constructor leaves the writer as it is if it throws.
 */
final class WeirShard implements Closeable {

  private static final int RECENT_REFRESHES = 1024;

  private final ShardId id;
  private final Directory directory;
  private final MergeTracker tracker;
  private final MergedSegmentWarmer warmer;
  private final ReopenMonitor external;
  private final ReopenMonitor internal;
  private final Optional<SlowRefreshes> slow;
  private final WeirNode node;

  /** For an engine whose writer has been created with {@code writer}. */
  WeirShard(
      EngineConfig engine,
      LiveIndexWriterConfig writer,
      ReferenceManager<?> externalReaders,
      ReferenceManager<?> internalReaders,
      WeirNode node) {
    this.id = engine.getShardId();
    this.directory = engine.getStore().directory();
    this.node = node;
    this.tracker = new MergeTracker(node.budget());
    tracker.setShareWeight(engine.getIndexSettings().getValue(WeirSettings.MERGE_WEIGHT));
    tracker.setYield(Privileged.yield(node.readersFirst()));
    this.warmer = change(writer, engine.getIndexSettings());
    ReopenOptions options = new ReopenOptions(Optional.empty(), RECENT_REFRESHES);
    this.external = ReopenMonitor.attach(externalReaders, options);
    this.internal = ReopenMonitor.attach(internalReaders, options);
    this.slow = SlowRefreshes.start(id, external, node.slowRefresh(), tracker);
    node.add(this);
  }

  /**
   * Changes the live configuration of the writer. The tracker is the outermost policy but for the
   * engine's own, which the engine expects there: the policies between them hide from each other
   * most of what Lucene tells a merge.
   */
  private MergedSegmentWarmer change(LiveIndexWriterConfig writer, IndexSettings settings) {
    OpenSearchMergePolicy policy = (OpenSearchMergePolicy) writer.getMergePolicy();
    IndexReaderWarmer before = writer.getMergedSegmentWarmer();
    MergedSegmentWarmer after =
        before == null ? new MergedSegmentWarmer() : new MergedSegmentWarmer(before);
    writer.setMergedSegmentWarmer(after);
    if (!settings.getSettings().hasValue(IndexSettings.INDEX_MERGE_ON_FLUSH_ENABLED.getKey())
        && writer instanceof IndexWriterConfig config) {
      config.setMaxFullFlushMergeWaitMillis(0);
    }
    writer.setMergePolicy(new OpenSearchMergePolicy(tracker.track(policy.getDelegate())));
    return after;
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
        "warmed", Figures.of("segments", warmer.segments(), "failures", warmer.failures()),
        "forced_merge", forcedMerge().orElse(null),
        "refresh",
            Figures.of(
                "external", RefreshFigures.of(external), "internal", RefreshFigures.of(internal)),
        "slow_refreshes", slow.map(SlowRefreshes::figures).orElse(null),
        "layers", layers(),
        "resident_keys",
            DirectoryPlan.find(directory, ResidentDirectory.class)
                .map(layer -> keys(layer.snapshot()))
                .orElse(null),
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

  private static Map<String, Object> keys(ResidentSnapshot keys) {
    return Figures.of(
        "bytes", keys.bytes(),
        "files", keys.files(),
        "waiting_files", keys.waitingFiles(),
        "loaded_files", keys.loadedFiles(),
        "reclaimed_files", keys.reclaimedFiles(),
        "faults", keys.faults());
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
    node.remove(this);
    internal.close();
    external.close();
    slow.ifPresent(SlowRefreshes::close);
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
