package io.weir.opensearch;

import io.weir.control.ReadersFirst;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.store.ResidentMemory;
import io.weir.store.ResidentMemorySnapshot;
import java.io.Closeable;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.opensearch.common.settings.Settings;

/**
 * What the shards of a node share: the budget, the exporter, and a list of the open shards.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> a shard adds and removes itself. <b>Failure:</b> an
 * exporter that cannot start ends the start of the node, as a port of the engine would.
 */
final class WeirNode implements Closeable {

  private final ByteBudget budget;
  private final ReadersFirst readersFirst;
  private final Duration slowRefresh;
  private final Optional<WeirExporter> exporter;
  private final Set<WeirShard> shards = ConcurrentHashMap.newKeySet();

  WeirNode(Settings settings) {
    this.budget =
        new ByteBudget(
            BudgetOptions.named("node")
                .withRate(WeirSettings.rate(WeirSettings.MAX_BYTES_PER_SEC.get(settings))));
    this.readersFirst = Privileged.call(ReadersFirst::new);
    this.slowRefresh = Duration.ofMillis(WeirSettings.SLOW_REFRESH.get(settings).millis());
    int port = WeirSettings.METRICS_PORT.get(settings);
    this.exporter =
        port < 0
            ? Optional.empty()
            : Optional.of(
                WeirExporter.start(WeirSettings.METRICS_HOST.get(settings), port, budget));
  }

  /** The cap of all merges of this node. */
  ByteBudget budget() {
    return budget;
  }

  /** Makes merges yield to readers. */
  ReadersFirst readersFirst() {
    return readersFirst;
  }

  /** From when on a refresh is slow; negative if none is. */
  Duration slowRefresh() {
    return slowRefresh;
  }

  void add(WeirShard shard) {
    shards.add(shard);
    exporter.ifPresent(meters -> meters.add(shard));
  }

  void remove(WeirShard shard) {
    exporter.ifPresent(meters -> meters.remove(shard));
    shards.remove(shard);
  }

  /** The open shards, in the order of their names. */
  List<WeirShard> shards() {
    return shards.stream().sorted((a, b) -> a.id().compareTo(b.id())).toList();
  }

  void setWeight(String indexUuid, int weight) {
    for (WeirShard shard : shards) {
      if (shard.id().getIndex().getUUID().equals(indexUuid)) {
        shard.tracker().setShareWeight(weight);
      }
    }
  }

  /** The figures of the node, as they appear in the answer. */
  Map<String, Object> figures() {
    Map<String, Object> figures = new LinkedHashMap<>();
    BudgetSnapshot now = budget.snapshot();
    Map<String, Object> merge = new LinkedHashMap<>();
    merge.put("max_bytes_per_sec", budget.rate().isLimited() ? budget.rate().bytesPerSecond() : -1);
    merge.put("charged_bytes", now.grantedBytes());
    merge.put("waits", now.delayedRequests());
    merge.put("wait_millis", Duration.ofNanos(now.waitNanos()).toMillis());
    merge.put("waiting_threads", now.waiting());
    merge.put("debt_bytes", now.debtBytes());
    figures.put("merge", merge);
    figures.put("resident_keys", memory(ResidentMemory.ofKeys().snapshot()));
    figures.put("small_files", memory(ResidentMemory.ofSmallFiles().snapshot()));
    figures.put(
        "readers_first",
        Figures.of("active", readersFirst.isActive(), "reason", readersFirst.reason()));
    return figures;
  }

  private static Map<String, Object> memory(ResidentMemorySnapshot memory) {
    return Figures.of(
        "bytes", memory.bytes(),
        "peak_bytes", memory.peakBytes(),
        "max_bytes", memory.maxBytes(),
        "refusals", memory.refusals());
  }

  @Override
  public void close() {
    exporter.ifPresent(WeirExporter::close);
  }
}
