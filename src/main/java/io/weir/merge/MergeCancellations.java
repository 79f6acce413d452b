package io.weir.merge;

import io.weir.lucene.Merges;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;

/**
 * Which merges are to end before they have begun: those of a writer that closes and aborts, and
 * forced ones while they are being cancelled.
 *
 * <p>A pending merge can only be ended by its writer, so it is marked as aborted and started like
 * any other: the writer then takes it off its books at once.
 *
 * <p>A cancellation lasts until the threads of the merges that it met have ended, whatever became
 * of the merges. One of them may have been done a moment before, and its thread then begins the
 * next forced merge of the same {@code forceMerge} as the last thing it does.
 *
 * <p><b>Threads:</b> any; guarded by this. <b>Memory:</b> writers are held weakly.
 */
final class MergeCancellations {

  private final Map<MergeSource, Optional<CloseAction>> sources = new WeakHashMap<>();
  private final Set<Thread> cancelling = new HashSet<>();
  private int sweeps;
  private int cancelledPending;

  /** A writer has shown up. */
  synchronized void met(MergeSource source) {
    sources.putIfAbsent(source, Optional.empty());
  }

  synchronized List<MergeSource> sources() {
    return List.copyOf(sources.keySet());
  }

  synchronized void closing(MergeSource source, CloseAction action) {
    sources.put(source, Optional.of(action));
  }

  /** What is to become of its merges, if the writer closes. */
  synchronized Optional<CloseAction> closeAction(MergeSource source) {
    return sources.getOrDefault(source, Optional.empty());
  }

  /**
   * Forced merges are cancelled: what is pending until {@link #endSweep}, and what begins while one
   * of {@code mergeThreads} lives.
   */
  synchronized void beginSweep(Collection<Thread> mergeThreads) {
    cancelling.addAll(mergeThreads);
    sweeps++;
    cancelledPending = 0;
  }

  /** How many were met that had not begun. */
  synchronized int endSweep() {
    sweeps--;
    return cancelledPending;
  }

  /** The merge of the calling thread has failed or was aborted: the thread begins no other. */
  synchronized void failed() {
    cancelling.remove(Thread.currentThread());
  }

  /** Whether merges must be taken from the writer even if too many run: those are to end. */
  synchronized boolean takesAll(MergeSource source) {
    return sweeps > 0 || closeAction(source).equals(Optional.of(CloseAction.ABORT));
  }

  /** Aborts a merge that is about to start, if it is to end. */
  synchronized void look(MergeSource source, OneMerge merge) {
    cancelling.removeIf(thread -> !thread.isAlive());
    boolean cancelled = (sweeps > 0 || !cancelling.isEmpty()) && Merges.isForced(merge);
    if (cancelled) {
      cancelledPending++;
    }
    if (cancelled || closeAction(source).equals(Optional.of(CloseAction.ABORT))) {
      merge.setAborted();
    }
  }
}
