package io.weir.elasticsearch;

import io.weir.control.ThreadReadMeter;
import io.weir.engine.EngineNode;
import io.weir.engine.EngineShard;
import io.weir.engine.ShardName;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenPhases;
import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan;
import io.weir.store.RateLimitedDirectory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.engine.ElasticsearchMergeScheduler;
import org.elasticsearch.index.engine.Engine;
import org.elasticsearch.index.engine.EngineConfig;
import org.elasticsearch.index.engine.InternalEngine;
import org.elasticsearch.index.engine.MergeMetrics;
import org.elasticsearch.index.engine.ThreadPoolMergeExecutorService;
import org.elasticsearch.index.shard.ShardId;

/**
 * The engine of a shard with Weir: Elasticsearch's own, with an {@link EngineShard} in the
 * configuration of its writer.
 *
 * <p>The merge scheduler is the engine's own, but for {@linkplain WeirMergeScheduler one default}:
 * it orders the merges of all shards, holds them back while the disk is nearly full, throttles
 * indexing behind a backlog, and feeds the engine's statistics. {@link io.weir.merge.MergeTracker}
 * knows merges without taking that over.
 *
 * <p><b>Failure:</b> if Weir cannot be attached, the engine works as without the plug-in, except
 * for the directory; that is logged.
 */
final class WeirEngine extends InternalEngine {

  private static final System.Logger LOGGER = System.getLogger(WeirEngine.class.getPackageName());

  /**
   * Null if Weir could not be attached. {@link #createWriter} sets it, which the superclass's
   * constructor calls: so it has no initializer, which would run later.
   */
  private volatile EngineShard shard;

  private WeirEngine(EngineConfig config) {
    super(config);
  }

  /** The engine for a shard. */
  static Engine open(EngineConfig config, EngineNode node) {
    WeirEngine engine = new WeirEngine(config);
    try {
      engine.attach(node);
    } catch (Throwable e) { // only this method knows the engine yet
      engine.closeAfter(e);
      throw e;
    }
    return engine;
  }

  /** Called by the superclass's constructor, before there is a writer. */
  @Override
  protected ElasticsearchMergeScheduler createMergeScheduler(
      ShardId id,
      IndexSettings settings,
      ThreadPoolMergeExecutorService pool,
      MergeMetrics metrics) {
    if (pool == null) { // the node's settings ask for Lucene's, where small merges need not wait
      return super.createMergeScheduler(id, settings, null, metrics);
    }
    return new WeirMergeScheduler(
        id,
        settings,
        pool,
        this::estimateMergeBytes,
        metrics,
        new WeirMergeScheduler.Hooks(
            this::activateThrottling,
            this::deactivateThrottling,
            this::maybeFlushAfterMerge,
            this::mergeException));
  }

  @Override
  protected IndexWriter createWriter(Directory directory, IndexWriterConfig writer)
      throws IOException {
    try {
      shard =
          DirectoryPlan.find(directory, RateLimitedDirectory.class)
              .map(limited -> configure(writer, config(), directory, limited.budget()))
              .orElse(null); // the directory could not be wrapped, which is logged already
    } catch (RuntimeException | LinkageError e) {
      LOGGER.log(Level.WARNING, config().getShardId() + " works without Weir's merge tracker", e);
    }
    return super.createWriter(directory, writer);
  }

  /**
   * Puts Weir into the configuration of a writer. The tracker is the outermost policy, so the
   * merges that the engine's scheduler sees are the tracker's.
   */
  private static EngineShard configure(
      IndexWriterConfig writer, EngineConfig engine, Directory directory, ByteBudget budget) {
    ReopenPhases phases = new ReopenPhases();
    ShardId id = engine.getShardId();
    IndexSettings settings = engine.getIndexSettings();
    EngineShard shard =
        new EngineShard(
            new ShardName(id.getIndexName(), id.getIndex().getUUID(), id.id()),
            directory,
            budget,
            () -> WeirSettings.MERGE_WEIGHT.get(settings.getIndexMetadata().getSettings()),
            Optional.of(phases),
            Optional.empty());
    shard.tracker().setReadMeter(new ThreadReadMeter());
    MergedSegmentWarmer.addTo(writer);
    writer
        .setInfoStream(phases.infoStream(writer.getInfoStream()))
        .setMergePolicy(shard.tracker().track(writer.getMergePolicy()));
    return shard;
  }

  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void attach(EngineNode node) {
    EngineShard opened = shard;
    if (opened == null) {
      return;
    }
    try {
      opened.attach(
          node,
          node.readersFirst(),
          getReferenceManager(SearcherScope.EXTERNAL),
          getReferenceManager(SearcherScope.INTERNAL));
    } catch (RuntimeException | LinkageError e) {
      LOGGER.log(Level.WARNING, config().getShardId() + " works without Weir's monitor", e);
    }
    if (isClosed.get()) { // it failed on another thread in between
      closeShard();
    }
  }

  @Override
  public IndexResult index(Index index) throws IOException {
    IndexResult result = super.index(index);
    written(index, result);
    return result;
  }

  @Override
  public DeleteResult delete(Delete delete) throws IOException {
    DeleteResult result = super.delete(delete);
    written(delete, result);
    return result;
  }

  /** What a recovery replays was handed over long ago, and could be found then. */
  private void written(Operation operation, Result result) {
    EngineShard tracked = shard;
    boolean isNew =
        operation.origin() == Operation.Origin.PRIMARY
            || operation.origin() == Operation.Origin.REPLICA;
    if (tracked != null && isNew && result.getResultType() == Result.Type.SUCCESS) {
      tracked.written(result.getSeqNo(), operation.startTime());
    }
  }

  /**
   * The engine slows indexing, because merges have fallen behind or because its memory controller
   * finds that segments are written too slowly. Only in the first case do merges lose their cap.
   */
  @Override
  public void activateThrottling() {
    super.activateThrottling();
    liftIfBehind();
  }

  @Override
  public void deactivateThrottling() {
    super.deactivateThrottling();
    liftIfBehind();
  }

  private void liftIfBehind() {
    EngineShard tracked = shard;
    if (tracked != null) {
      tracked.liftWhile(
          this::isThrottled,
          config().getIndexSettings().getMergeSchedulerConfig()::getMaxMergeCount);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      closeShard();
    }
  }

  @Override
  public void failEngine(String reason, Exception failure) {
    try {
      super.failEngine(reason, failure);
    } finally {
      if (isClosed.get()) {
        closeShard();
      }
    }
  }

  private void closeShard() {
    EngineShard tracked = shard;
    if (tracked != null) {
      tracked.close();
    }
  }
}
