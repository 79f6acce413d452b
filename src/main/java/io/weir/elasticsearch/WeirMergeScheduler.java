package io.weir.elasticsearch;

import java.lang.System.Logger.Level;
import java.util.function.Consumer;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.MergeSchedulerConfig;
import org.elasticsearch.index.engine.MergeMemoryEstimateProvider;
import org.elasticsearch.index.engine.MergeMetrics;
import org.elasticsearch.index.engine.ThreadPoolMergeExecutorService;
import org.elasticsearch.index.engine.ThreadPoolMergeScheduler;
import org.elasticsearch.index.merge.OnGoingMerge;
import org.elasticsearch.index.shard.ShardId;

/**
 * The engine's merge scheduler, which lets a shard run two merges even on two or three processors.
 *
 * <p>There the engine's default is one. A large merge, a forced one above all, takes that thread
 * for minutes. The segments of all refreshes stay meanwhile, and each refresh looks up in every
 * segment what was updated: refreshes become slower and slower. With two threads, small merges go
 * on beside the large one. An index with a setting of its own keeps it. The pool still limits the
 * threads of all shards, to one for each processor.
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

  private static final int LEAST_MERGES = 2;

  private static final System.Logger LOGGER =
      System.getLogger(WeirMergeScheduler.class.getPackageName());

  private final ShardId shard;
  private final IndexSettings settings;
  private final Hooks hooks;

  WeirMergeScheduler(
      ShardId shard,
      IndexSettings settings,
      ThreadPoolMergeExecutorService pool,
      MergeMemoryEstimateProvider memory,
      MergeMetrics metrics,
      Hooks hooks) {
    super(shard, settings, pool, memory, metrics);
    this.shard = shard;
    this.settings = settings;
    this.hooks = hooks;
  }

  /** Asked whenever a merge is to begin, so the setting can change at any time. */
  @Override
  protected int getMaxThreadCount() {
    int most = super.getMaxThreadCount();
    return MergeSchedulerConfig.MAX_THREAD_COUNT_SETTING.exists(settings.getSettings())
        ? most
        : Math.max(most, Math.min(LEAST_MERGES, getMaxMergeCount()));
  }

  /** The beginning of the message is that of the engine, by which operators find it. */
  @Override
  protected synchronized void enableIndexingThrottling(int running, int queued, int most) {
    log("now throttling indexing", running, queued, most);
    hooks.throttle().run();
  }

  @Override
  protected synchronized void disableIndexingThrottling(int running, int queued, int most) {
    log("stop throttling indexing", running, queued, most);
    hooks.unthrottle().run();
  }

  private void log(String event, int running, int queued, int most) {
    LOGGER.log(
        Level.INFO,
        "{0}: shard {1}, merges running {2}, waiting {3}, allowed {4}",
        event,
        shard,
        running,
        queued,
        most);
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
