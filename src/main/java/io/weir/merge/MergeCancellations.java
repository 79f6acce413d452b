package io.weir.merge;

import io.weir.lucene.Merges;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;
import org.apache.lucene.index.MergeTrigger;

/**
 * What ends the merges of a scheduler early, or their waiting: a cancellation of forced merges, and
 * the close of a writer or of the scheduler itself.
 *
 * <p>Pending merges end before they begin while forced merges are being cancelled, and if their
 * writer closes with {@link CloseAction#ABORT}.
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

  private final WriterMerges merges;
  private final AtomicInteger closes = new AtomicInteger(); // of the scheduler, in progress
  private final Map<MergeSource, Optional<CloseAction>> sources = new WeakHashMap<>();
  private final Set<Thread> cancelling = new HashSet<>();
  private int sweeps;
  private int cancelledPending;

  MergeCancellations(WriterMerges merges) {
    this.merges = merges;
  }

  /** Remembers a writer. */
  synchronized void met(MergeSource source) {
    sources.putIfAbsent(source, Optional.empty());
  }

  synchronized List<MergeSource> sources() {
    return List.copyOf(sources.keySet());
  }

  /**
   * The writer of {@code source} closes. Merges of {@code addIndexes} are never aborted, because
   * their documents exist nowhere else; they run at full speed.
   */
  void closing(MergeSource source, CloseAction action) {
    synchronized (this) {
      sources.put(source, Optional.of(action));
    }
    if (action == CloseAction.FINISH) {
      return;
    }
    for (RunningMerge running : merges.all()) {
      if (running.kind == MergeKind.OTHER) {
        running.release();
      } else if (running.source.equals(Optional.of(source))) {
        if (action == CloseAction.ABORT) {
          running.merge.setAborted();
        } else {
          running.release();
        }
      }
    }
  }

  /**
   * The scheduler closes and waits for all merges: until {@link #endClose} they run at full speed.
   */
  void beginClose() {
    closes.incrementAndGet();
    merges.all().forEach(RunningMerge::release);
  }

  void endClose() {
    closes.decrementAndGet();
  }

  /** Whether a merge of the writer of {@code source} must not wait, because of a close. */
  boolean releases(MergeSource source) {
    return closes.get() > 0 || closesWith(source, CloseAction.LIFT);
  }

  private synchronized boolean closesWith(MergeSource source, CloseAction action) {
    return sources.getOrDefault(source, Optional.empty()).equals(Optional.of(action));
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
    return sweeps > 0 || closesWith(source, CloseAction.ABORT);
  }

  /** Aborts a merge that is about to start, if it was cancelled. */
  synchronized void look(MergeSource source, OneMerge merge) {
    cancelling.removeIf(thread -> !thread.isAlive());
    boolean cancelled = (sweeps > 0 || !cancelling.isEmpty()) && Merges.isForced(merge);
    if (cancelled) {
      cancelledPending++;
    }
    if (cancelled || closesWith(source, CloseAction.ABORT)) {
      merge.setAborted();
    }
  }

  /**
   * A writer's pending merges during one call to the scheduler: knows the reason for the call, and
   * aborts cancelled merges before they begin.
   *
   * <p><b>Threads:</b> as the writer's own source.
   *
   * @param source the writer's own source
   * @param trigger the reason for the call
   * @param cancellations decides which merges must not begin
   * @param neverBegun receives a merge for which no thread could be created
   */
  record PendingMerges(
      MergeSource source,
      MergeTrigger trigger,
      MergeCancellations cancellations,
      Consumer<OneMerge> neverBegun)
      implements MergeSource {

    /** The writer's own source: a merge thread returns the object that its merge came from. */
    static MergeSource unwrap(MergeSource source) {
      return source instanceof PendingMerges queue ? queue.source : source;
    }

    /** Whether a reader or a commit made the call; these must not wait for the cap. */
    boolean isOfReaderOrCommit() {
      return trigger == MergeTrigger.GET_READER
          || trigger == MergeTrigger.COMMIT
          || trigger == MergeTrigger.FULL_FLUSH;
    }

    @Override
    public OneMerge getNextMerge() {
      OneMerge merge = source.getNextMerge();
      if (merge != null) {
        try {
          cancellations.look(source, merge);
        } catch (Throwable e) {
          source.onMergeFinished(merge); // or the writer would wait for it
          throw e;
        }
      }
      return merge;
    }

    @Override
    public void onMergeFinished(OneMerge merge) {
      try {
        neverBegun.accept(merge);
      } finally {
        source.onMergeFinished(merge);
      }
    }

    @Override
    public boolean hasPendingMerges() {
      return source.hasPendingMerges();
    }

    @Override
    public void merge(OneMerge merge) throws IOException {
      source.merge(merge);
    }

    @Override
    public String toString() {
      return source.toString();
    }
  }
}
