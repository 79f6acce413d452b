package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.time.Listeners;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.SegmentCommitInfo;

/**
 * Watches the backlog of merges: lifts the cap before indexing stalls, and warns when the cap is
 * too low. Listeners hear of both.
 *
 * <p><b>Threads:</b> any; takes no lock of the scheduler.
 */
final class BacklogMonitor {

  private final MergeBudgets budgets;
  private final WriterMerges merges;
  private final NanoClock clock;
  private final Consumer<String> infoStream;
  private final Listeners<MergeListener> listeners;
  private final CapLiftPolicy lift = new CapLiftPolicy();
  private final MergeDebt debt;
  private final KeepUpWarning warning = new KeepUpWarning();

  BacklogMonitor(
      MergeBudgets budgets,
      WriterMerges merges,
      Listeners<MergeListener> listeners,
      NanoClock clock,
      Consumer<String> infoStream) {
    this.listeners = listeners;
    this.budgets = budgets;
    this.merges = merges;
    this.clock = clock;
    this.debt = new MergeDebt(clock.nanoTime());
    this.infoStream = infoStream;
  }

  void setLiftBeforeStall(boolean enabled) {
    lift.setEnabled(enabled);
  }

  void started(RunningMerge running) {
    boolean demanded = running.kind == MergeKind.NATURAL || running.kind == MergeKind.CRITICAL;
    if (demanded && running.estimatedBytes().isPresent()) {
      debt.accepted(
          flushedBytes(running.merge), running.estimatedBytes().getAsLong(), clock.nanoTime());
    }
    listeners.tell(l -> l.mergeStarted(running.totals(MergeTotals.Outcome.RUNNING)));
  }

  void ended(RunningMerge running, MergeTotals.Outcome outcome) {
    if (outcome == MergeTotals.Outcome.DONE && running.estimatedBytes().isPresent()) {
      debt.done(running.estimatedBytes().getAsLong(), running.writtenBytes(), clock.nanoTime());
    }
    MergeTotals totals = running.totals(outcome);
    listeners.tell(l -> l.mergeFinished(totals));
  }

  /**
   * Checks the backlog, and lifts or restores the cap.
   *
   * @param maxMergeCount the number of merges at which Lucene stalls indexing
   * @param stalled the activity that stalls, because more merges are pending than may run
   */
  void look(int maxMergeCount, StalledThreads.Activity stalled) {
    int backlog;
    CapLiftPolicy.Verdict verdict;
    synchronized (lift) { // or a thread might apply an older decision last
      List<RunningMerge> slots = merges.backlog();
      backlog = slots.size();
      // Forced merges alone are no backlog of indexing: their caller waits for them anyway.
      boolean ofIndexing =
          stalled == StalledThreads.Activity.INDEXING
              || slots.stream().anyMatch(a -> a.kind != MergeKind.FORCED);
      verdict =
          lift.decide(
              backlog,
              maxMergeCount,
              stalled != StalledThreads.Activity.NONE,
              ofIndexing && budgets.arePaced());
      merges.setCrowded(
          stalled != StalledThreads.Activity.NONE
              || ofIndexing && CapLiftPolicy.isNear(backlog, maxMergeCount));
      if (verdict != CapLiftPolicy.Verdict.LEAVE) {
        budgets.setLifted(verdict == CapLiftPolicy.Verdict.LIFT);
      }
    }
    switch (verdict) {
      case LIFT -> {
        String reason =
            backlog + " merges run and " + maxMergeCount + " are allowed before indexing stalls";
        listeners.tell(l -> l.capLifted(reason)); // first: who reads the log finds them informed
        say("the cap on merges is lifted: " + reason, Level.WARNING);
      }
      case RESTORE -> {
        listeners.tell(MergeListener::capRestored);
        say("the cap on merges holds again: " + backlog + " merges run", Level.INFO);
      }
      case LEAVE -> {}
    }
    warn(OptionalInt.of(maxMergeCount));
  }

  /**
   * Warns if merges do not keep up with indexing.
   *
   * @param mergeSlots the number of merges at which Lucene stalls indexing; empty if unknown
   */
  void warn(OptionalInt mergeSlots) {
    MergeDebtSnapshot now = debt(mergeSlots);
    if (warning.isDue(now, clock.nanoTime())) {
      listeners.tell(l -> l.cannotKeepUp(now));
      say(now.describe(), Level.WARNING);
    }
  }

  MergeDebtSnapshot debt(OptionalInt mergeSlots) {
    List<MergeDebt.Open> open =
        merges.backlog().stream()
            .map(a -> new MergeDebt.Open(a.estimatedBytes().orElse(0), a.writtenBytes()))
            .toList();
    return debt.snapshot(budgets.capBytesPerSecond(), mergeSlots, open, clock.nanoTime());
  }

  private void say(String what, Level level) {
    infoStream.accept(what);
    OnceLog.write(BacklogMonitor.class, level, what);
  }

  private static long flushedBytes(OneMerge merge) {
    long bytes = 0;
    for (SegmentCommitInfo segment : merge.segments) {
      if (Merges.isFlushed(segment)) {
        try {
          bytes += segment.sizeInBytes();
        } catch (IOException e) {
          // Its size is unknown; a merge that cannot read the segment fails by itself.
        }
      }
    }
    return bytes;
  }
}
