package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.SegmentCommitInfo;

/**
 * Watches the backlog: lifts the cap before indexing stands still, says when the cap is too low,
 * and tells it to whoever listens.
 *
 * <p><b>Threads:</b> any; takes no lock of the scheduler.
 */
final class BacklogMonitor {

  private final MergeBudgets shares;
  private final RunningMerges accounts;
  private final NanoClock clock;
  private final Consumer<String> infoStream;
  private final MergeListeners listeners;
  private final CapLiftPolicy lift = new CapLiftPolicy();
  private final MergeDebt debt = new MergeDebt();
  private final KeepUpWarning warning = new KeepUpWarning();

  BacklogMonitor(
      MergeBudgets shares,
      RunningMerges accounts,
      MergeListeners listeners,
      NanoClock clock,
      Consumer<String> infoStream) {
    this.listeners = listeners;
    this.shares = shares;
    this.accounts = accounts;
    this.clock = clock;
    this.infoStream = infoStream;
  }

  void setLiftBeforeStall(boolean enabled) {
    lift.setEnabled(enabled);
  }

  void started(RunningMerge account) {
    boolean demanded = account.kind == MergeKind.NATURAL || account.kind == MergeKind.CRITICAL;
    if (demanded && account.estimatedBytes().isPresent()) {
      debt.accepted(
          flushedBytes(account.merge), account.estimatedBytes().getAsLong(), clock.nanoTime());
    }
    listeners.tell(l -> l.mergeStarted(account.totals(MergeTotals.Outcome.RUNNING)));
  }

  void ended(RunningMerge account, MergeTotals.Outcome outcome) {
    if (outcome == MergeTotals.Outcome.DONE && account.estimatedBytes().isPresent()) {
      debt.done(account.estimatedBytes().getAsLong(), account.writtenBytes(), clock.nanoTime());
    }
    MergeTotals totals = account.totals(outcome);
    listeners.tell(l -> l.mergeFinished(totals));
  }

  /**
   * Looks at the backlog and acts.
   *
   * @param maxMergeCount as many as Lucene lets run before it stalls
   * @param stalled who stands still, because more are pending and no more may run
   */
  void look(int maxMergeCount, StalledThreads.Who stalled) {
    int backlog;
    CapLiftPolicy.Verdict verdict;
    synchronized (lift) { // or the deed of a thread that decided before would come last
      List<RunningMerge> merges = accounts.backlog();
      backlog = merges.size();
      // Forced merges alone are no backlog of indexing: who asked for them waits for them anyway.
      boolean ofIndexing =
          stalled == StalledThreads.Who.INDEXING
              || merges.stream().anyMatch(a -> a.kind != MergeKind.FORCED);
      verdict =
          lift.decide(
              backlog,
              maxMergeCount,
              stalled != StalledThreads.Who.NOBODY,
              ofIndexing && shares.arePaced());
      accounts.setCrowded(
          stalled != StalledThreads.Who.NOBODY
              || ofIndexing && CapLiftPolicy.isNear(backlog, maxMergeCount));
      if (verdict != CapLiftPolicy.Verdict.LEAVE) {
        shares.setLifted(verdict == CapLiftPolicy.Verdict.LIFT);
      }
    }
    switch (verdict) {
      case LIFT -> {
        String reason =
            backlog + " merges run and " + maxMergeCount + " are allowed before indexing stalls";
        say("the cap on merges is lifted: " + reason, Level.WARNING);
        listeners.tell(l -> l.capLifted(reason));
      }
      case RESTORE -> {
        say("the cap on merges holds again: " + backlog + " merges run", Level.INFO);
        listeners.tell(MergeListener::capRestored);
      }
      case LEAVE -> {}
    }
    MergeDebtSnapshot now = debt(maxMergeCount);
    if (warning.isDue(now, clock.nanoTime())) {
      say(now.describe(), Level.WARNING);
      listeners.tell(l -> l.cannotKeepUp(now));
    }
  }

  MergeDebtSnapshot debt(int maxMergeCount) {
    List<MergeDebt.Open> open =
        accounts.backlog().stream()
            .map(a -> new MergeDebt.Open(a.estimatedBytes().orElse(0), a.writtenBytes()))
            .toList();
    return debt.snapshot(shares.capBytesPerSecond(), maxMergeCount, open, clock.nanoTime());
  }

  private void say(String what, Level level) {
    infoStream.accept(what);
    MergeLog.log(level, what);
  }

  private static long flushedBytes(OneMerge merge) {
    long bytes = 0;
    for (SegmentCommitInfo segment : merge.segments) {
      if (Merges.isFlushed(segment)) {
        try {
          bytes += segment.sizeInBytes();
        } catch (IOException e) {
          // Its size is not known; a merge that cannot read it says so itself.
        }
      }
    }
    return bytes;
  }
}
