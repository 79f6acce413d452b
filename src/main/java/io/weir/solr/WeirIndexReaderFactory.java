package io.weir.solr;

import java.io.IOException;
import java.lang.System.Logger.Level;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.solr.core.IndexReaderFactory;
import org.apache.solr.core.SolrCore;

/**
 * Opens the readers of a core, so that its refreshes are measured and its merged segments warmed:
 *
 * <pre>{@code
 * <indexReaderFactory name="IndexReaderFactory" class="io.weir.solr.WeirIndexReaderFactory"/>
 * }</pre>
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> Solr creates one for each core. <b>Failure:</b> a
 * reader that cannot be observed is Lucene's own; that is logged.
 */
public final class WeirIndexReaderFactory extends IndexReaderFactory {

  private static final System.Logger LOGGER = System.getLogger(WeirNode.class.getPackageName());

  private WeirCore observed; // guarded by this; null before the first reader

  /** For Solr, which calls {@code init} next. */
  public WeirIndexReaderFactory() {}

  /** A reader without a writer is never reopened. */
  @Override
  public DirectoryReader newReader(Directory directory, SolrCore core) throws IOException {
    return DirectoryReader.open(directory);
  }

  @Override
  public DirectoryReader newReader(IndexWriter writer, SolrCore core) throws IOException {
    DirectoryReader reader = DirectoryReader.open(writer);
    try {
      WeirCore weir = of(core);
      weir.adopt(writer);
      return new ObservedReader(reader, weir);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOGGER.log(Level.WARNING, core.getName() + ": refreshes are not measured", e);
      return reader;
    }
  }

  private synchronized WeirCore of(SolrCore core) {
    if (observed == null) {
      observed = WeirCore.open(core, WeirNode.get());
    }
    return observed;
  }
}
