package io.weir.agent.lucene;

import io.weir.lucene.WriterReaders;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * The reopens of an index whose application calls {@code DirectoryReader.openIfChanged} itself, in
 * the form of a manager, so that a monitor can listen to them. It never refreshes, and counts no
 * references.
 *
 * <p><b>Threads:</b> any; of two reopens at the same time, one is measured. <b>Ownership:</b> holds
 * a reader only during its reopen. It counts those that are open, and ends with the last one; if
 * the readers are those of a writer, not before that is closed.
 */
final class DirectReopens extends ReferenceManager<DirectoryReader> {

  private final ReentrantLock measuring = new ReentrantLock();
  private final Runnable ended;
  private final Set<Object> openReaders = new HashSet<>(); // by their keys; guarded by itself
  private boolean writerOpen; // as far as known; guarded by openReaders
  private final List<RefreshListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * Reopens of readers that are still to come.
   *
   * @param ended called when nothing of the index is open; its application may have ended
   */
  DirectReopens(Runnable ended) {
    this.ended = ended;
  }

  /** A reader of the index is open; one without a key is not counted. */
  void opened(DirectoryReader reader) {
    IndexReader.CacheHelper helper = reader.getReaderCacheHelper();
    if (helper == null) {
      return;
    }
    synchronized (openReaders) {
      if (!openReaders.add(helper.getKey())) {
        return;
      }
      writerOpen = writerOpen || WriterReaders.isOfWriter(reader);
    }
    try {
      helper.addClosedListener(this::closed);
    } catch (AlreadyClosedException e) {
      closed(helper.getKey());
    }
  }

  private void closed(Object key) {
    boolean last;
    synchronized (openReaders) {
      last = openReaders.remove(key) && openReaders.isEmpty() && !writerOpen;
    }
    if (last) {
      ended.run();
    }
  }

  /** The writer of the index is closed. */
  void writerClosed() {
    boolean last;
    synchronized (openReaders) {
      last = writerOpen && openReaders.isEmpty();
      writerOpen = false;
    }
    if (last) {
      ended.run();
    }
  }

  /**
   * A reopen of {@code reader} begins.
   *
   * @return false if it is not measured; {@link #end} must not be called then
   */
  boolean begin(DirectoryReader reader) throws IOException {
    if (measuring.isHeldByCurrentThread() || !measuring.tryLock()) {
      return false;
    }
    current = reader;
    for (RefreshListener listener : listeners) {
      listener.beforeRefresh();
    }
    return true;
  }

  /** The reopen has ended, on the thread that began it. */
  void end(boolean changed, boolean failed) throws IOException {
    try {
      if (failed) {
        current = null; // the monitor then finds the manager closed, and counts a failure
      }
      for (RefreshListener listener : listeners) {
        listener.afterRefresh(changed);
      }
    } finally {
      current = null;
      measuring.unlock();
    }
  }

  @Override
  public void addListener(RefreshListener listener) {
    listeners.add(listener);
  }

  @Override
  public void removeListener(RefreshListener listener) {
    listeners.remove(listener);
  }

  @Override
  protected boolean tryIncRef(DirectoryReader reader) {
    return true;
  }

  @Override
  protected void decRef(DirectoryReader reader) {}

  @Override
  protected int getRefCount(DirectoryReader reader) {
    return 1;
  }

  @Override
  protected DirectoryReader refreshIfNeeded(DirectoryReader reader) {
    return null;
  }
}
