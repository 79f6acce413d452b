package io.weir.solr;

import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.util.IOSupplier;

/**
 * The refreshes of a core as a reopen monitor sees them. Solr has no reference manager: it reopens
 * readers itself, one at a time. Here each of its reopens is one refresh of a manager that manages
 * nothing.
 *
 * <p><b>Threads:</b> any; one refresh at a time, as in Solr. <b>Ownership:</b> holds no reader.
 */
final class Refreshes implements Closeable {

  private static final int RECENT = 1024;

  /** Its references are marks without content. */
  private final class Manager extends ReferenceManager<Object> {

    Manager() {
      current = new Object();
    }

    @Override
    protected Object refreshIfNeeded(Object before) throws IOException {
      opened = next.get();
      return opened == null ? null : new Object();
    }

    @Override
    protected boolean tryIncRef(Object mark) {
      return true;
    }

    @Override
    protected void decRef(Object mark) {}

    @Override
    protected int getRefCount(Object mark) {
      return 1;
    }
  }

  private final ReopenMonitor monitor =
      ReopenMonitor.attach(new Manager(), new ReopenOptions(Optional.empty(), RECENT));
  private IOSupplier<DirectoryReader> next; // guarded by this
  private DirectoryReader opened; // guarded by this

  /** Reopens, and measures that; null if nothing is new. */
  synchronized DirectoryReader run(IOSupplier<DirectoryReader> reopen) throws IOException {
    next = reopen;
    try {
      monitor.maybeRefreshBlocking();
      return opened;
    } finally {
      next = null;
      opened = null;
    }
  }

  ReopenMonitor monitor() {
    return monitor;
  }

  /** Ends the measurements; reopens go on. */
  @Override
  public void close() {
    monitor.close();
  }
}
