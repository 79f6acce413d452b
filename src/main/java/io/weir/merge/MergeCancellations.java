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
 * Decides which pending merges end before they begin: those of a writer that closes with {@link
 * CloseAction#ABORT}, and forced merges while they are being cancelled.
 *
 * <p>Only the writer can end a pending merge. So the merge is marked as aborted and started like
 * any other; the writer then drops it at once.
 *
 * <p>A cancellation lasts until the threads of the cancelled merges have ended, whatever the
 * outcome of the merges. One of them may have finished just before; then the last thing its thread
 * does is to begin the next merge of the same {@code forceMerge}.
 *
 * <p><b>Threads:</b> any; guarded by this. <b>Memory:</b> holds writers weakly.
 */
final class MergeCancellations {

  private final Map<MergeSource, Optional<CloseAction>> sources = new WeakHashMap<>();
  private final Set<Thread> cancelling = new HashSet<>();
  private int sweeps;
  private int cancelledPending;

  /** Remembers a writer. */
  synchronized void met(MergeSource source) {
    sources.putIfAbsent(source, Optional.empty());
  }

  synchronized List<MergeSource> sources() {
    return List.copyOf(sources.keySet());
  }

  synchronized void closing(MergeSource source, CloseAction action) {
    sources.put(source, Optional.of(action));
  }

  /** What happens to the writer's merges, if the writer is closing. */
  synchronized Optional<CloseAction> closeAction(MergeSource source) {
    return sources.getOrDefault(source, Optional.empty());
  }

  /**
   * Begins to cancel forced merges: those that are pending until {@link #endSweep}, and those that
   * begin while one of {@code mergeThreads} is alive.
   */
  synchronized void beginSweep(Collection<Thread> mergeThreads) {
    cancelling.addAll(mergeThreads);
    sweeps++;
    cancelledPending = 0;
  }

  /** Ends the sweep, and returns how many pending merges it cancelled. */
  synchronized int endSweep() {
    sweeps--;
    return cancelledPending;
  }

  /** The calling thread's merge has failed or was aborted, so the thread will begin no other. */
  synchronized void failed() {
    cancelling.remove(Thread.currentThread());
  }

  /** Whether to take all pending merges from the writer, even beyond the limit, to end them. */
  synchronized boolean takesAll(MergeSource source) {
    return sweeps > 0 || closeAction(source).equals(Optional.of(CloseAction.ABORT));
  }

  /** Aborts a merge that is about to start, if it was cancelled. */
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
