package io.weir.merge;

import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import org.apache.lucene.index.MergeScheduler.MergeSource;
import org.apache.lucene.index.MergeTrigger;

/**
 * Watches that a scheduler serves one writer at a time, from its first call to its close.
 *
 * <p>Lucene's scheduler shuts down its executors, and waits for all its merges, when any of its
 * writers closes. So a second writer is refused where that loses nothing: when the application asks
 * for merges. At a flush, a commit or a close a warning is logged instead, and the merges run. An
 * exception there would fail a write that has succeeded, or make {@code close} roll back.
 *
 * <p>A writer whose constructor failed has made no call and is unknown here. A leaked writer blocks
 * the next one until it is garbage-collected.
 *
 * <p><b>Threads:</b> any; guarded by this.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter}: all calls of a writer pass the same source, except
 * those of {@code addIndexes(CodecReader...)}; each close of a writer closes the scheduler. The
 * scheduler's {@code initialize} cannot be overridden here.
 */
final class SingleWriterGuard {

  private static final String REFUSAL =
      "this merge scheduler serves another index writer, which is still open: give each writer its"
          + " own scheduler, and share the ByteBudget";

  private WeakReference<MergeSource> served = new WeakReference<>(null); // guarded by this
  private WeakReference<MergeSource> warned = new WeakReference<>(null); // guarded by this

  /**
   * Checks a call of a writer.
   *
   * @throws IllegalStateException when another writer is served and the application asks for merges
   */
  synchronized void calls(MergeSource source, MergeTrigger trigger) {
    if (trigger == MergeTrigger.ADD_INDEXES || trigger == MergeTrigger.MERGE_FINISHED) {
      return; // has a source of its own, or belongs to a merge that was accepted
    }
    if (served.get() == null) {
      served = new WeakReference<>(source);
    } else if (!source.equals(served.get())) {
      if (trigger == MergeTrigger.EXPLICIT) {
        throw new IllegalStateException(REFUSAL);
      }
      if (!source.equals(warned.get())) {
        warned = new WeakReference<>(source);
        OnceLog.write(SingleWriterGuard.class, Level.WARNING, REFUSAL);
      }
    }
  }

  /** A writer has closed. */
  synchronized void closed() {
    served.clear();
  }
}
