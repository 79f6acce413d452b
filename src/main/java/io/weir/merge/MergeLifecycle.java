package io.weir.merge;

import io.weir.rate.ByteBudget;
import io.weir.store.RateLimitedDirectory;
import io.weir.store.reads.MergeReadPacing;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/**
 * Begins and ends each merge of a scheduler or a tracker: announces it, charges its bytes, and
 * settles it when it has ended.
 *
 * <p><b>Failure:</b> a fault in {@link #announce}, {@link #enter}, {@link #leave} or {@link #ended}
 * never reaches the merge; the first one is logged. <b>Threads:</b> those of the merges.
 */
final class MergeLifecycle {

  private final ByteBudget budget;
  private final MergeBudgets budgets;
  private final RunningMerges merges;
  private final BacklogMonitor backlog;
  private final AtomicBoolean failureLogged = new AtomicBoolean();
  private final AtomicReference<Runnable> uncharged = new AtomicReference<>(() -> {});

  MergeLifecycle(
      ByteBudget budget, MergeBudgets budgets, RunningMerges merges, BacklogMonitor backlog) {
    this.budget = budget;
    this.budgets = budgets;
    this.merges = merges;
    this.backlog = backlog;
  }

  /** Runs {@code action} once, when a merge writes to a directory that charges nothing. */
  void whenUncharged(Runnable action) {
    uncharged.set(action);
  }

  /** Wraps a directory so that every byte that the merge writes is charged to it. */
  Directory wrap(RunningMerge running, Directory in) {
    Directory charged = in;
    if (!charge(running, in)) {
      guard(uncharged.getAndSet(() -> {})::run);
      RateLimitedDirectory own = new RateLimitedDirectory(in, budget);
      running.wrapped(in, true);
      running.payFrom(budgets, List.of(own));
      charged = own;
    }
    return new MergeDirectory(charged, running);
  }

  /**
   * Charges the merge for what it writes to the rate-limited directories in this one. Called on the
   * merge's thread.
   *
   * @param writers the directory of the writer
   * @return false if there is no such directory
   */
  boolean charge(RunningMerge running, Directory writers) {
    List<RateLimitedDirectory> below = rateLimited(writers);
    if (below.isEmpty()) {
      return false;
    }
    running.wrapped(writers, false);
    running.payFrom(budgets, below);
    return true;
  }

  /** The merge begins; listeners hear of it. */
  void announce(RunningMerge running) {
    guard(() -> backlog.started(running));
  }

  /** The calling thread merges, until {@link #leave}. */
  void enter(RunningMerge running) {
    guard(() -> MergeReadPacing.begin(running::beforeRead));
    guard(running::enters);
    guard(running.yield()::mergeBegins);
  }

  /** The calling thread has stopped merging. */
  void leave(RunningMerge running) {
    guard(MergeReadPacing::end);
    guard(running::leaves);
    guard(running.yield()::mergeEnds);
  }

  /** Ends the merge. */
  void ended(RunningMerge running, MergeTotals.Outcome outcome) {
    try {
      guard(() -> MergeCleanup.settle(running, outcome));
    } finally { // a merge that stayed registered after an Error would count as backlog for ever
      guard(
          () -> {
            if (merges.close(running, outcome)) {
              backlog.ended(running, outcome);
            }
          });
    }
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
  interface Step {
    void run() throws Exception;
  }

  /**
   * Runs a step whose failure must not affect a merge. Not even an error of memory may: a merge
   * that the writer has handed out must reach the writer, which otherwise waits for it for ever.
   */
  void guard(Step step) {
    try {
      step.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      if (failureLogged.compareAndSet(false, true)) {
        MergeLog.log(
            Level.WARNING, "the figures of a merge are wrong; the merge is not affected", e);
      }
    }
  }
}
