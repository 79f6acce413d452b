package io.weir.merge;

import io.weir.rate.ByteBudget;
import io.weir.store.MergeReadPacing;
import io.weir.store.RateLimitedDirectory;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/**
 * Begins and ends each merge: registers it, gives it a directory that charges its bytes, and
 * settles it when it has ended.
 *
 * <p><b>Failure:</b> a fault in {@link #began} or {@link #ended} never reaches the merge; the first
 * one is logged. <b>Threads:</b> those of the merges.
 */
final class MergeLifecycle {

  private final ByteBudget budget;
  private final MergeBudgets budgets;
  private final RunningMerges merges;
  private final BacklogMonitor backlog;
  private final MergeCancellations cancellations;
  private final AtomicBoolean failureLogged = new AtomicBoolean();
  private final AtomicInteger closes = new AtomicInteger();
  private volatile long smallMergeMaxBytes;

  MergeLifecycle(
      ByteBudget budget,
      MergeBudgets budgets,
      RunningMerges merges,
      BacklogMonitor backlog,
      MergeCancellations cancellations) {
    this.budget = budget;
    this.budgets = budgets;
    this.merges = merges;
    this.backlog = backlog;
    this.cancellations = cancellations;
  }

  void setSmallMergeMaxBytes(long maxBytes) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException(
          "smallMergeMaxBytes must be at least 0 bytes: " + maxBytes);
    }
    smallMergeMaxBytes = maxBytes;
  }

  /** Returns the merge, and registers it at the first call. */
  RunningMerge open(MergeSource mergeSource, OneMerge merge) {
    MergeSource source = PendingMerges.unwrap(mergeSource);
    RunningMerge running = merges.open(merge, source);
    boolean small =
        running.kind == MergeKind.NATURAL
            && merge.estimatedMergeBytes >= 0
            && merge.estimatedMergeBytes <= smallMergeMaxBytes;
    if (small
        || closes.get() > 0
        || cancellations.closeAction(source).filter(CloseAction.LIFT::equals).isPresent()) {
      running.lift();
    }
    return running;
  }

  /** Wraps a directory so that every byte that the merge writes is charged to it. */
  Directory wrap(RunningMerge running, Directory in) {
    List<RateLimitedDirectory> below = rateLimited(in);
    Directory charged = in;
    if (below.isEmpty()) {
      RateLimitedDirectory own = new RateLimitedDirectory(in, budget);
      below = List.of(own);
      charged = own;
    }
    running.wrapped(in, charged != in);
    running.payFrom(budgets, below);
    return new MergeDirectory(charged, running);
  }

  void began(RunningMerge running, int maxMergeCount) {
    MergeReadPacing.begin(running::beforeRead);
    guard(running.yield()::mergeBegins);
    guard(
        () -> {
          backlog.started(running);
          backlog.look(maxMergeCount, StalledThreads.Activity.NONE);
        });
  }

  /** Ends the merge, whatever its outcome; {@code failure} is null if it did not throw. */
  void ended(RunningMerge running, Throwable failure, int maxMergeCount) {
    MergeReadPacing.end();
    MergeTotals.Outcome outcome = MergeCleanup.outcome(running, failure);
    try {
      guard(running.yield()::mergeEnds);
      guard(() -> MergeCleanup.settle(running, outcome));
    } finally { // a merge that stayed registered after an Error would count as backlog for ever
      guard(
          () -> {
            if (merges.close(running, outcome)) {
              backlog.ended(running, outcome);
            }
            backlog.look(maxMergeCount, StalledThreads.Activity.NONE);
          });
    }
  }

  /**
   * The writer of {@code source} closes. Merges of {@code addIndexes} are never aborted, because
   * their documents exist nowhere else; they run at full speed.
   */
  void closing(MergeSource source, CloseAction action) {
    cancellations.closing(source, action);
    if (action == CloseAction.FINISH) {
      return;
    }
    for (RunningMerge running : merges.all()) {
      if (running.kind == MergeKind.OTHER) {
        running.lift();
      } else if (running.source.equals(source)) {
        if (action == CloseAction.ABORT) {
          running.merge.setAborted();
        } else {
          running.lift();
        }
      }
    }
  }

  /**
   * The scheduler closes and waits for all merges: until {@link #endClose} they run at full speed.
   */
  void beginClose() {
    closes.incrementAndGet();
    merges.all().forEach(RunningMerge::lift);
  }

  void endClose() {
    closes.decrementAndGet();
  }

  /** The rate-limited directories in the chain of {@link FilterDirectory}s, outermost first. */
  private static List<RateLimitedDirectory> rateLimited(Directory in) {
    List<RateLimitedDirectory> found = new ArrayList<>();
    for (Directory d = in; d instanceof FilterDirectory filter; d = filter.getDelegate()) {
      if (d instanceof RateLimitedDirectory limited) {
        found.add(limited);
      }
    }
    return found;
  }

  /** A step that may throw anything. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private void guard(Step step) {
    try {
      step.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | LinkageError | AssertionError e) {
      if (failureLogged.compareAndSet(false, true)) {
        MergeLog.log(
            Level.WARNING, "the figures of a merge are wrong; the merge is not affected", e);
      }
    }
  }
}
