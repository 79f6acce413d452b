package io.weir.elasticsearch;

import io.weir.control.ReadersFirst;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentMemory;
import io.weir.store.ResidentMemorySnapshot;
import io.weir.store.SmallFilesOptions;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.elasticsearch.common.settings.Settings;

/**
 * What the shards of a node share: the budget, the meters, and a list of the open shards.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> a shard adds and removes itself. <b>Failure:</b> a
 * shard for which a layer cannot be made opens without Weir's directory; that is logged.
 */
final class WeirNode implements Closeable {

  private static final System.Logger LOGGER = System.getLogger(WeirNode.class.getPackageName());

  private final ByteBudget budget;
  private final ReadersFirst readersFirst = new ReadersFirst();
  private final Duration slowRefresh;
  private final NodeMeters meters;
  private final Set<WeirShard> shards = ConcurrentHashMap.newKeySet();

  WeirNode(Settings settings) {
    this.budget =
        new ByteBudget(
            BudgetOptions.named("node")
                .withRate(WeirSettings.rate(WeirSettings.MAX_BYTES_PER_SEC.get(settings))));
    this.slowRefresh = Duration.ofMillis(WeirSettings.SLOW_REFRESH.get(settings).millis());
    this.meters = new NodeMeters(budget);
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

  NodeMeters meters() {
    return meters;
  }

  /**
   * Puts Weir's layers above the directory of a shard. The engine's own maps most files and reads
   * the others: all of them unchanged.
   */
  Directory directory(Directory directory) {
    try {
      DirectoryPlan plan = DirectoryPlan.recommended(budget);
      return directory instanceof FSDirectory files
          ? plan.withSmallFiles(SmallFilesOptions.DEFAULT, files.getDirectory()).over(directory)
          : plan.over(directory);
    } catch (RuntimeException | LinkageError e) {
      LOGGER.log(Level.WARNING, directory + " works without Weir's layers", e);
      return directory;
    }
  }

  void add(WeirShard shard) {
    shards.add(shard);
    meters.add(shard);
  }

  void remove(WeirShard shard) {
    meters.remove(shard);
    shards.remove(shard);
  }

  /** The open shards, in the order of their names. */
  List<WeirShard> shards() {
    return shards.stream().sorted((a, b) -> a.id().compareTo(b.id())).toList();
  }

  /** The figures of the node, as they appear in the answer. */
  Map<String, Object> figures() {
    BudgetSnapshot now = budget.snapshot();
    return Figures.of(
        "merge",
            Figures.of(
                "max_bytes_per_sec",
                    budget.rate().isLimited() ? budget.rate().bytesPerSecond() : -1L,
                "charged_bytes", now.grantedBytes(),
                "waits", now.delayedRequests(),
                "wait_millis", Duration.ofNanos(now.waitNanos()).toMillis(),
                "waiting_threads", now.waiting(),
                "debt_bytes", now.debtBytes()),
        "small_files", memory(ResidentMemory.ofSmallFiles().snapshot()),
        "readers_first",
            Figures.of("active", readersFirst.isActive(), "reason", readersFirst.reason()));
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
    meters.close();
  }
}
