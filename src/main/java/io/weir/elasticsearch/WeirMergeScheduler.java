package io.weir.elasticsearch;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.store.Directory;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.engine.MergeMemoryEstimateProvider;
import org.elasticsearch.index.engine.MergeMetrics;
import org.elasticsearch.index.engine.ThreadPoolMergeExecutorService;
import org.elasticsearch.index.engine.ThreadPoolMergeScheduler;
import org.elasticsearch.index.merge.OnGoingMerge;
import org.elasticsearch.index.shard.ShardId;

/**
 * The engine's merge scheduler, which lets a shard have one merge thread more while a forced merge
 * runs.
 *
 * <p>By default a shard may run half as many merges as there are processors: one, on two or three.
 * A forced merge would take that for as long as it lasts. The segments of all refreshes would stay,
 * and each refresh looks up what was updated in every segment: refreshes become slower and slower.
 * The threads of all shards are still limited by the pool, which has one for each processor.
 *
 * <p>All else is the engine's. Its own subclass is not accessible, so what that passes to the
 * engine goes through {@link Hooks}.
 *
 * <p><b>Threads:</b> any.
 */
final class WeirMergeScheduler extends ThreadPoolMergeScheduler {

  /**
   * What the engine does when its scheduler calls.
   *
   * @param throttle starts slowing indexing, because merges have fallen behind
   * @param unthrottle stops it
   * @param afterMerge follows each merge
   * @param failed follows a merge that failed
   */
  record Hooks(
      Runnable throttle,
      Runnable unthrottle,
      Consumer<OnGoingMerge> afterMerge,
      Consumer<Throwable> failed) {}

  private final BooleanSupplier forcedMergeRuns;
  private final Hooks hooks;

  WeirMergeScheduler(
      ShardId shard,
      IndexSettings settings,
      ThreadPoolMergeExecutorService pool,
      MergeMemoryEstimateProvider memory,
      MergeMetrics metrics,
      BooleanSupplier forcedMergeRuns,
      Hooks hooks) {
    super(shard, settings, pool, memory, metrics);
    this.forcedMergeRuns = forcedMergeRuns;
    this.hooks = hooks;
  }

  @Override
  protected int getMaxThreadCount() {
    return super.getMaxThreadCount() + (forcedMergeRuns.getAsBoolean() ? 1 : 0);
  }

  /** Called when a merge has begun: what waits is scheduled again, for it might wait no longer. */
  @Override
  public Directory wrapForMerge(OneMerge merge, Directory directory) {
    if (forcedMergeRuns.getAsBoolean()) {
      refreshConfig();
    }
    return super.wrapForMerge(merge, directory);
  }

  /** The beginning of the message is that of the engine, by which operators find it. */
  @Override
  protected synchronized void enableIndexingThrottling(int running, int queued, int most) {
    logger.info(
        "now throttling indexing: {} merges run and {} wait, which is more than {}",
        running,
        queued,
        most);
    hooks.throttle().run();
  }

  @Override
  protected synchronized void disableIndexingThrottling(int running, int queued, int most) {
    logger.info(
        "stop throttling indexing: {} merges run and {} wait, which is at most {}",
        running,
        queued,
        most);
    hooks.unthrottle().run();
  }

  @Override
  protected synchronized void afterMerge(OnGoingMerge merge) {
    hooks.afterMerge().accept(merge);
  }

  @Override
  protected void handleMergeException(Throwable failure) {
    hooks.failed().accept(failure);
  }
}
