package io.weir.opensearch;

import java.io.IOException;
import java.lang.System.Logger.Level;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.engine.InternalEngine;
import org.opensearch.index.engine.NRTReplicationEngineFactory;

/**
 * The engine of a shard with Weir: OpenSearch's own, with a {@link WeirShard} around its writer.
 *
 * <p>The engine's merge scheduler and writer cannot be replaced from outside. But the writer's
 * configuration is live, so this changes the merge policy, the warmer of merged segments and the
 * wait of a refresh for merges when the writer exists, before the first merge.
 *
 * <p><b>Failure:</b> an engine that cannot be changed works as without the plug-in, except for the
 * directory; that is logged.
 */
final class WeirEngine extends InternalEngine {

  private static final System.Logger LOGGER = System.getLogger(WeirEngine.class.getPackageName());

  private volatile WeirShard shard; // null during the construction, after the end, and if it failed

  private WeirEngine(EngineConfig config, WeirNode node) {
    super(config);
    try {
      shard =
          new WeirShard(
              config,
              documentIndexWriter.getConfig(),
              getReferenceManager(SearcherScope.EXTERNAL),
              getReferenceManager(SearcherScope.INTERNAL),
              node);
    } catch (RuntimeException | LinkageError e) {
      LOGGER.log(
          Level.WARNING,
          config.getShardId() + " works without Weir's monitor and merge tracker",
          e);
    }
    if (isClosed.get()) { // it failed on another thread in between
      closeShard();
    }
  }

  /** The engine for a shard: a replica of segments has no writer, so it is OpenSearch's own. */
  static Engine open(EngineConfig config, WeirNode node) {
    if (config.isReadOnlyReplica()) {
      return new NRTReplicationEngineFactory().newReadWriteEngine(config);
    }
    return new WeirEngine(
        config.toBuilder().codecService(new KeyCodecs(config, WeirStore.KEYS)).build(), node);
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
    WeirShard open;
    synchronized (this) { // an engine may fail while it is closed
      open = shard;
      shard = null;
    }
    if (open != null) {
      open.close();
    }
  }
}
