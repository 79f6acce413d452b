package io.weir.solr;

import io.weir.store.ResidentKeys;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.apache.lucene.codecs.Codec;
import org.apache.solr.core.SchemaCodecFactory;
import org.apache.solr.core.SolrCore;

/**
 * The codec of Solr's {@code SchemaCodecFactory}, which writes the keys of documents to files of
 * their own. Any Solr of the same version reads them. Optional: {@link WeirDirectoryFactory} holds
 * the keys' part of files that other fields share, too, but with the index of all their terms.
 *
 * <pre>{@code
 * <codecFactory class="io.weir.solr.WeirCodecFactory"/>
 * }</pre>
 *
 * <p>It takes the arguments of {@code solr.SchemaCodecFactory}. The keys are those of {@link
 * WeirDirectoryFactory}.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> without that factory, or with a codec that does not
 * choose its postings format per field, the codec is Solr's own; that is logged.
 */
public final class WeirCodecFactory extends SchemaCodecFactory {

  private static final System.Logger LOGGER = System.getLogger(WeirNode.class.getPackageName());

  private volatile Optional<ResidentKeys> keys = Optional.empty();

  /** For Solr, which calls {@code init} next. */
  public WeirCodecFactory() {}

  /** Called when the core has its directory factory and its schema. */
  @Override
  public void inform(SolrCore core) {
    super.inform(core);
    if (core.getDirectoryFactory() instanceof WeirDirectoryFactory directories) {
      keys = Optional.of(directories.keys());
    } else {
      LOGGER.log(
          Level.WARNING,
          "{0}: keys are not held in memory, because directoryFactory is not {1}",
          core.getName(),
          WeirDirectoryFactory.class.getName());
    }
  }

  @Override
  public Codec getCodec() {
    Codec codec = super.getCodec();
    try {
      return keys.map(k -> k.codec(codec)).orElse(codec);
    } catch (IllegalArgumentException e) {
      LOGGER.log(Level.WARNING, "keys are not held in memory: {0}", e.getMessage());
      return codec;
    }
  }
}
