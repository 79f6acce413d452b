package io.weir.opensearch;

import io.weir.control.ThreadReadMeter;
import io.weir.engine.EngineNode;
import io.weir.engine.EngineShard;
import io.weir.engine.ShardName;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.IndexWriter.IndexReaderWarmer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LiveIndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.opensearch.common.logging.Loggers;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.codec.CodecService;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.engine.InternalEngine;
import org.opensearch.index.engine.NRTReplicationEngineFactory;
import org.opensearch.index.shard.OpenSearchMergePolicy;

/**
 * The engine of a shard with Weir: OpenSearch's own, with an {@link EngineShard} around its writer.
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

  private volatile EngineShard shard; // null before attach has made it

  private WeirEngine(EngineConfig config) {
    super(config);
  }

  /** The engine for a shard: a replica of segments has no writer, so it is OpenSearch's own. */
  static Engine open(EngineConfig config, EngineNode node) {
    if (config.isReadOnlyReplica()) {
      return new NRTReplicationEngineFactory().newReadWriteEngine(config);
    }
    WeirEngine engine =
        new WeirEngine(EngineVersions.withCodecs(config, new KeyCodecs(config, WeirStore.KEYS)));
    try {
      engine.attach(node);
    } catch (Throwable e) { // only this method knows the engine yet
      engine.closeAfter(e);
      throw e;
    }
    return engine;
  }

  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void attach(EngineNode node) {
    try {
      attach(EngineVersions.writerConfig(this), node);
    } catch (RuntimeException | LinkageError e) {
      closeShard();
      LOGGER.log(
          Level.WARNING,
          config().getShardId() + " works without Weir's monitor and merge tracker",
          e);
    }
    if (isClosed.get()) { // it failed on another thread in between
      closeShard();
    }
  }

  /**
   * Makes and attaches a shard, and changes the live configuration of the writer last: if this
   * throws, the writer is as before. The tracker is the outermost policy but for the engine's own,
   * which the engine expects there: the policies between them hide from each other most of what
   * Lucene tells a merge.
   */
  private void attach(LiveIndexWriterConfig writer, EngineNode node) {
    OpenSearchMergePolicy policy = (OpenSearchMergePolicy) writer.getMergePolicy();
    IndexReaderWarmer before = writer.getMergedSegmentWarmer();
    MergedSegmentWarmer warmer =
        before == null ? new MergedSegmentWarmer() : new MergedSegmentWarmer(before);
    ShardId id = config().getShardId();
    IndexSettings settings = config().getIndexSettings();
    EngineShard made =
        new EngineShard(
            new ShardName(id.getIndexName(), id.getIndex().getUUID(), id.id()),
            config().getStore().directory(),
            node.budget(),
            () -> WeirSettings.MERGE_WEIGHT.get(settings.getIndexMetadata().getSettings()),
            Optional.empty(), // a live configuration accepts no listener to phases
            Optional.of(warmer));
    made.tracker().setReadMeter(Privileged.reads(new ThreadReadMeter()));
    MergePolicy tracking = new OpenSearchMergePolicy(made.tracker().track(policy.getDelegate()));
    shard = made;
    made.attach(
        node,
        Privileged.yield(node.readersFirst()),
        getReferenceManager(SearcherScope.EXTERNAL),
        getReferenceManager(SearcherScope.INTERNAL));
    writer.setMergedSegmentWarmer(warmer);
    if (!settings.getSettings().hasValue(IndexSettings.INDEX_MERGE_ON_FLUSH_ENABLED.getKey())
        && writer instanceof IndexWriterConfig config) {
      config.setMaxFullFlushMergeWaitMillis(0);
    }
    writer.setMergePolicy(tracking);
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

  /**
   * The codecs that an engine was configured with, by this node or by another plug-in. What they
   * write has the documents' keys in files of their own. Any OpenSearch reads these segments.
   *
   * <p><b>Failure:</b> a codec that does not choose its postings format per field is used as it is;
   * that is logged.
   */
  static final class KeyCodecs extends CodecService {

    private final Codec configured;
    private final ResidentKeys keys;

    @SuppressWarnings("removal") // the constructor that 3.0 to 3.9 have
    KeyCodecs(EngineConfig config, ResidentKeys keys) {
      super(
          null, config.getIndexSettings(), Loggers.getLogger(KeyCodecs.class, config.getShardId()));
      this.configured = config.getCodec();
      this.keys = keys;
    }

    /** An engine asks for one name only, the one that it was configured with. */
    @Override
    public Codec codec(String name) {
      try {
        return keys.codec(configured);
      } catch (IllegalArgumentException e) {
        System.getLogger(KeyCodecs.class.getPackageName())
            .log(Level.WARNING, "documents'' keys are not held in memory: {0}", e.getMessage());
        return configured;
      }
    }
  }
}
