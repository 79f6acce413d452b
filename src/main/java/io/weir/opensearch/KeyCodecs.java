package io.weir.opensearch;

import io.weir.store.ResidentKeys;
import java.lang.System.Logger.Level;
import org.apache.lucene.codecs.Codec;
import org.opensearch.common.logging.Loggers;
import org.opensearch.index.codec.CodecService;
import org.opensearch.index.engine.EngineConfig;

/**
 * The codecs that an engine was configured with, by this node or by another plug-in. What they
 * write has the documents' keys in files of their own. Any OpenSearch reads these segments.
 *
 * <p><b>Failure:</b> a codec that does not choose its postings format per field is used as it is;
 * that is logged.
 */
final class KeyCodecs extends CodecService {

  private final Codec configured;
  private final ResidentKeys keys;

  @SuppressWarnings("removal") // the constructor that 3.0 to 3.9 have
  KeyCodecs(EngineConfig config, ResidentKeys keys) {
    super(null, config.getIndexSettings(), Loggers.getLogger(KeyCodecs.class, config.getShardId()));
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
