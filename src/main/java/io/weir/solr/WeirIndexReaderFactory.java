package io.weir.solr;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.ExecutorService;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
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

  /**
   * A reader of a core's writer whose reopens are measured. Solr reopens the reader that it has,
   * and calls no factory for that, so the reader itself measures.
   *
   * <p>It has the leaves and the cache key of the reader that it was made from. It is no {@code
   * FilterDirectoryReader}, because that one learns of a reopen only when it is done.
   *
   * <p><b>Threads:</b> any. <b>Ownership:</b> owns one reference to the reader that it was made
   * from.
   */
  static final class ObservedReader extends DirectoryReader {

    private final DirectoryReader in;
    private final WeirCore core;

    ObservedReader(DirectoryReader in, WeirCore core) throws IOException {
      super(
          in.directory(),
          in.leaves().stream().map(LeafReaderContext::reader).toArray(LeafReader[]::new),
          null);
      this.in = in;
      this.core = core;
    }

    @Override
    protected DirectoryReader doOpenIfChanged(IndexWriter writer, boolean applyAllDeletes)
        throws IOException {
      core.adopt(writer);
      return observed(
          core.refreshes().run(() -> DirectoryReader.openIfChanged(in, writer, applyAllDeletes)));
    }

    @Override
    protected DirectoryReader doOpenIfChanged() throws IOException {
      return observed(core.refreshes().run(() -> DirectoryReader.openIfChanged(in)));
    }

    @Override
    protected DirectoryReader doOpenIfChanged(IndexCommit commit) throws IOException {
      return observed(core.refreshes().run(() -> DirectoryReader.openIfChanged(in, commit)));
    }

    // Lucene 10.5 can reopen segments on other threads; no Solr asks for that. Without annotations,
    // this compiles with an earlier Lucene too.

    protected DirectoryReader doOpenIfChanged(ExecutorService threads) throws IOException {
      return doOpenIfChanged();
    }

    protected DirectoryReader doOpenIfChanged(IndexCommit commit, ExecutorService threads)
        throws IOException {
      return doOpenIfChanged(commit);
    }

    protected DirectoryReader doOpenIfChanged(
        IndexWriter writer, boolean applyAllDeletes, ExecutorService threads) throws IOException {
      return doOpenIfChanged(writer, applyAllDeletes);
    }

    private DirectoryReader observed(DirectoryReader reopened) throws IOException {
      if (reopened == null) {
        return null;
      }
      try {
        return new ObservedReader(reopened, core);
      } catch (Throwable e) {
        IOUtils.closeWhileHandlingException(reopened);
        throw e;
      }
    }

    @Override
    public long getVersion() {
      return in.getVersion();
    }

    @Override
    public boolean isCurrent() throws IOException {
      return in.isCurrent();
    }

    @Override
    public IndexCommit getIndexCommit() throws IOException {
      return in.getIndexCommit();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }

    @Override
    protected void doClose() throws IOException {
      in.close();
    }

    @Override
    public String toString() {
      return in.toString();
    }
  }
}
