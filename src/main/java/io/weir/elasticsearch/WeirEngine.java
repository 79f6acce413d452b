package io.weir.elasticsearch;

import io.weir.store.DirectoryPlan;
import io.weir.store.RateLimitedDirectory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.elasticsearch.index.engine.Engine;
import org.elasticsearch.index.engine.EngineConfig;
import org.elasticsearch.index.engine.InternalEngine;

/**
 * The engine of a shard with Weir: Elasticsearch's own, with a {@link WeirShard} in the
 * configuration of its writer.
 *
 * <p>The engine keeps its merge scheduler, though {@code createMergeScheduler} could replace it. It
 * orders the merges of all shards, holds them back while the disk is nearly full, throttles
 * indexing behind a backlog, and feeds the engine's statistics. {@link io.weir.merge.MergeTracker}
 * knows merges without taking that over.
 *
 * <p><b>Failure:</b> if Weir cannot join, the engine works as without the plug-in, except for the
 * directory; that is logged.
 */
final class WeirEngine extends InternalEngine {

  private static final System.Logger LOGGER = System.getLogger(WeirEngine.class.getPackageName());

  /**
   * Null after the end, and if Weir could not join. {@link #createWriter} sets it, which the
   * superclass's constructor calls: so it has no initializer, which would run later.
   */
  private volatile WeirShard shard;

  private WeirEngine(EngineConfig config) {
    super(config);
  }

  /** The engine for a shard. */
  static Engine open(EngineConfig config, WeirNode node) {
    WeirEngine engine = new WeirEngine(config);
    engine.join(node);
    return engine;
  }

  @Override
  protected IndexWriter createWriter(Directory directory, IndexWriterConfig writer)
      throws IOException {
    try {
      shard =
          DirectoryPlan.find(directory, RateLimitedDirectory.class)
              .map(limited -> new WeirShard(config(), directory, limited.budget(), writer))
              .orElse(null); // the directory could not be wrapped, which is logged already
    } catch (RuntimeException | LinkageError e) {
      LOGGER.log(Level.WARNING, config().getShardId() + " works without Weir's merge tracker", e);
    }
    return super.createWriter(directory, writer);
  }

  private void join(WeirNode node) {
    WeirShard opened = shard;
    if (opened == null) {
      return;
    }
    try {
      opened.join(
          node,
          getReferenceManager(SearcherScope.EXTERNAL),
          getReferenceManager(SearcherScope.INTERNAL));
    } catch (RuntimeException | LinkageError e) {
      LOGGER.log(Level.WARNING, config().getShardId() + " works without Weir's monitor", e);
    }
    if (isClosed.get()) { // it failed on another thread in between
      closeShard();
    }
  }

  /** Merges have fallen behind, so the engine slows indexing: until that ends they have no cap. */
  @Override
  public void activateThrottling() {
    super.activateThrottling();
    liftWhileThrottled();
  }

  @Override
  public void deactivateThrottling() {
    super.deactivateThrottling();
    liftWhileThrottled();
  }

  /** The engine counts requests to slow indexing, so the end of one need not be the end of all. */
  private synchronized void liftWhileThrottled() {
    WeirShard open = shard;
    if (open != null) {
      open.tracker().setLifted(isThrottled());
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
    WeirShard open = shard;
    shard = null;
    if (open != null) {
      open.close();
    }
  }
}
