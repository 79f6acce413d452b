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
 * Opens and closes the account of each merge, and gives it a directory that charges.
 *
 * <p><b>Failure:</b> nothing that goes wrong in {@link #began} or {@link #ended} reaches the merge;
 * the first time it is logged. <b>Threads:</b> each merge's own.
 */
final class MergeLifecycle {

  private final ByteBudget budget;
  private final MergeBudgets shares;
  private final RunningMerges accounts;
  private final BacklogMonitor watch;
  private final MergeCancellations cancellations;
  private final AtomicBoolean failureTold = new AtomicBoolean();
  private final AtomicInteger closes = new AtomicInteger();
  private volatile long smallMergeMaxBytes;

  MergeLifecycle(
      ByteBudget budget,
      MergeBudgets shares,
      RunningMerges accounts,
      BacklogMonitor watch,
      MergeCancellations cancellations) {
    this.budget = budget;
    this.shares = shares;
    this.accounts = accounts;
    this.watch = watch;
    this.cancellations = cancellations;
  }

  void setSmallMergeMaxBytes(long maxBytes) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException(
          "smallMergeMaxBytes must be at least 0 bytes: " + maxBytes);
    }
    smallMergeMaxBytes = maxBytes;
  }

  /** The merge's account, made when it is first asked for. */
  RunningMerge open(MergeSource mergeSource, OneMerge merge) {
    MergeSource source = PendingMerges.unwrap(mergeSource);
    RunningMerge account = accounts.open(merge, source);
    boolean small =
        account.kind == MergeKind.NATURAL
            && merge.estimatedMergeBytes >= 0
            && merge.estimatedMergeBytes <= smallMergeMaxBytes;
    if (small
        || closes.get() > 0
        || cancellations.closeAction(source).filter(CloseAction.LIFT::equals).isPresent()) {
      account.lift();
    }
    return account;
  }

  /** The directory in which everything that the merge writes is charged to it. */
  Directory wrap(RunningMerge account, Directory in) {
    List<RateLimitedDirectory> below = rateLimited(in);
    Directory charged = in;
    if (below.isEmpty()) {
      RateLimitedDirectory own = new RateLimitedDirectory(in, budget);
      below = List.of(own);
      charged = own;
    }
    account.wrapped(in, charged != in);
    account.payFrom(shares, below);
    return new MergeDirectory(charged, account);
  }

  void began(RunningMerge account, int maxMergeCount) {
    MergeReadPacing.begin(account::beforeRead);
    guard(account.yield()::mergeBegins);
    guard(
        () -> {
          watch.started(account);
          watch.look(maxMergeCount, StalledThreads.Who.NOBODY);
        });
  }

  /** Whatever has become of the merge; {@code failure} is null if it did not throw. */
  void ended(RunningMerge account, Throwable failure, int maxMergeCount) {
    MergeReadPacing.end();
    MergeTotals.Outcome outcome = MergeCleanup.outcome(account, failure);
    try {
      guard(account.yield()::mergeEnds);
      guard(() -> MergeCleanup.settle(account, outcome));
    } finally { // an account that stayed open for an Error would count as backlog for ever
      guard(
          () -> {
            if (accounts.close(account, outcome)) {
              watch.ended(account, outcome);
            }
            watch.look(maxMergeCount, StalledThreads.Who.NOBODY);
          });
    }
  }

  /**
   * The writer of {@code source} closes. Merges of {@code addIndexes} are never aborted, as their
   * documents are nowhere else; they hurry.
   */
  void closing(MergeSource source, CloseAction action) {
    cancellations.closing(source, action);
    if (action == CloseAction.FINISH) {
      return;
    }
    for (RunningMerge account : accounts.running()) {
      if (account.kind == MergeKind.OTHER) {
        account.lift();
      } else if (account.source.equals(source)) {
        if (action == CloseAction.ABORT) {
          account.merge.setAborted();
        } else {
          account.lift();
        }
      }
    }
  }

  /** Somebody waits for all merges: until {@link #endClose} they run at full speed. */
  void beginClose() {
    closes.incrementAndGet();
    accounts.running().forEach(RunningMerge::lift);
  }

  void endClose() {
    closes.decrementAndGet();
  }

  /** Those on the way down, from the outermost; what is no {@link FilterDirectory} is the end. */
  private static List<RateLimitedDirectory> rateLimited(Directory in) {
    List<RateLimitedDirectory> found = new ArrayList<>();
    for (Directory d = in; d instanceof FilterDirectory filter; d = filter.getDelegate()) {
      if (d instanceof RateLimitedDirectory limited) {
        found.add(limited);
      }
    }
    return found;
  }

  /** Book-keeping that may throw whatever it likes. */
  @FunctionalInterface
  private interface Entry {
    void make() throws Exception;
  }

  private void guard(Entry entry) {
    try {
      entry.make();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception | LinkageError | AssertionError e) {
      if (failureTold.compareAndSet(false, true)) {
        MergeLog.log(
            Level.WARNING, "the account of a merge is wrong; the merge is not affected", e);
      }
    }
  }
}
