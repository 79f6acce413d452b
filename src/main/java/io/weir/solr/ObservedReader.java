package io.weir.solr;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.IOUtils;

/**
 * A reader of a core's writer whose reopens are measured. Solr reopens the reader that it has, and
 * calls no factory for that, so the reader itself measures.
 *
 * <p>It has the leaves and the cache key of the reader that it was made from. It is no {@code
 * FilterDirectoryReader}, because that one learns of a reopen only when it is done.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns one reference to the reader that it was made from.
 */
final class ObservedReader extends DirectoryReader {

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
