package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.time.Listeners;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentCommitInfo;

/**
 * Watches the backlog of merges: lifts the cap before indexing stalls, and warns when the cap is
 * too low. Listeners hear of both.
 *
 * <p><b>Threads:</b> any; takes no lock of the scheduler.
 */
final class BacklogMonitor {

  private final MergeBudgets budgets;
  private final Listeners<MergeListener> listeners;
  private final Supplier<List<RunningMerge>> merges;
  private final NanoClock clock;
  private final Consumer<String> infoStream;
  private final CapLiftPolicy lift = new CapLiftPolicy();
  private final MergeDebt debt;
  private final KeepUpWarning warning = new KeepUpWarning();
  private volatile boolean crowded;

  /**
   * @param merges those that count as backlog now
   * @param infoStream receives what is logged
   */
  BacklogMonitor(
      MergeBudgets budgets,
      Listeners<MergeListener> listeners,
      Supplier<List<RunningMerge>> merges,
      NanoClock clock,
      Consumer<String> infoStream) {
    this.budgets = budgets;
    this.listeners = listeners;
    this.merges = merges;
    this.clock = clock;
    this.debt = new MergeDebt(clock.nanoTime());
    this.infoStream = infoStream;
  }

  void setLiftBeforeStall(boolean enabled) {
    lift.setEnabled(enabled);
  }

  /** The application lifts the cap or restores it, as it sees indexing wait; instead of a look. */
  void setLifted(boolean nowLifted) {
    synchronized (lift) {
      if (!lift.becomes(nowLifted)) {
        return;
      }
      crowded = nowLifted;
      budgets.setLifted(nowLifted);
    }
    listeners.tell(
        l -> {
          if (nowLifted) {
            l.capLifted("the application has lifted it");
          } else {
            l.capRestored();
          }
        });
  }

  /** Whether indexing is about to stall behind these merges: then they must not yield. */
  boolean isCrowded() {
    return crowded;
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
      List<RunningMerge> slots = merges.get();
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
      crowded =
          stalled != StalledThreads.Activity.NONE
              || ofIndexing && CapLiftPolicy.isNear(backlog, maxMergeCount);
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
        merges.get().stream()
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

  /**
   * Decides when a backlog lifts the cap, and when the cap is restored.
   *
   * <p>When a merge is pending and the maximum number of merges runs, Lucene stalls the indexing
   * threads until a merge ends. Under a cap that may take long. So the cap is lifted shortly
   * before; if few merges are allowed, it is lifted at that moment. The cap is restored when half
   * of the backlog is gone. The two thresholds differ so that the cap does not flap.
   *
   * <p><b>Threads:</b> any; guarded by this.
   */
  static final class CapLiftPolicy {

    /** The decision. */
    enum Verdict {
      LEAVE,
      LIFT,
      RESTORE
    }

    private static final int FEW_SLOTS = 3;

    private boolean enabled = true; // guarded by this
    private boolean lifted; // guarded by this

    synchronized void setEnabled(boolean nowEnabled) {
      enabled = nowEnabled;
    }

    /**
     * Whether the running merges leave at most one free slot. With {@link #FEW_SLOTS} slots or
     * fewer that is normal, and would make the cap void; then only a merge without a slot counts.
     */
    static boolean isNear(int running, int maxMergeCount) {
      return maxMergeCount > FEW_SLOTS && running >= maxMergeCount - 1;
    }

    /** Somebody else has decided; returns whether that changes anything. */
    synchronized boolean becomes(boolean nowLifted) {
      boolean changes = lifted != nowLifted;
      lifted = nowLifted;
      return changes;
    }

    /**
     * Decides.
     *
     * @param running number of running merges that are neither critical nor aborted
     * @param maxMergeCount the number of merges at which Lucene stalls indexing
     * @param stalling whether more merges are pending than may run
     * @param paced whether a cap holds merges back
     */
    synchronized Verdict decide(int running, int maxMergeCount, boolean stalling, boolean paced) {
      if (lifted) {
        if (enabled && running > maxMergeCount / 2) {
          return Verdict.LEAVE;
        }
        lifted = false;
        return Verdict.RESTORE;
      }
      boolean soon = isNear(running, maxMergeCount) || stalling;
      if (enabled && paced && soon) {
        lifted = true;
        return Verdict.LIFT;
      }
      return Verdict.LEAVE;
    }
  }

  /**
   * Decides when to warn that the cap is too low: once per episode.
   *
   * <p>An episode begins when the demand has exceeded the cap for {@link #SUSTAINED_NANOS}. It also
   * begins when half of the merge slots are in use and the rest will probably fill within {@link
   * #STALL_NEAR}. It ends when the demand is below four fifths of the cap and less than half of the
   * slots are in use. So a demand close to the cap does not repeat the warning.
   *
   * <p><b>Threads:</b> any; guarded by this.
   */
  static final class KeepUpWarning {

    static final long SUSTAINED_NANOS = 30_000_000_000L;
    static final Duration STALL_NEAR = Duration.ofSeconds(60);

    private static final double CALM = 0.8;

    private boolean warned; // guarded by this
    private boolean exceeding; // guarded by this
    private long exceedingSinceNanos; // guarded by this

    /** Whether to warn now. */
    synchronized boolean isDue(MergeDebtSnapshot debt, long nowNanos) {
      double cap =
          debt.capBytesPerSecond().isPresent()
              ? debt.capBytesPerSecond().getAsLong()
              : Double.POSITIVE_INFINITY;
      boolean crowded =
          debt.runningMerges() > 0
              && debt.mergeSlots().isPresent()
              && 2 * debt.runningMerges() >= debt.mergeSlots().getAsInt();
      if (debt.demandBytesPerSecond() <= cap) {
        exceeding = false;
      } else if (!exceeding) {
        exceeding = true;
        exceedingSinceNanos = nowNanos;
      }
      boolean sustained = exceeding && nowNanos - exceedingSinceNanos >= SUSTAINED_NANOS;
      boolean near =
          crowded && debt.untilStall().filter(left -> left.compareTo(STALL_NEAR) < 0).isPresent();
      if (warned) {
        warned = crowded || debt.demandBytesPerSecond() >= CALM * cap;
        return false;
      }
      warned = sustained || near;
      return warned;
    }
  }

  /**
   * The threads that stall because more merges are pending than may run.
   *
   * <p><b>Threads:</b> guarded by the monitor of the scheduler.
   */
  static final class StalledThreads {

    /** What a thread was doing when it stalled. */
    enum Activity {
      /** No thread stalls. */
      NONE,
      /** Asking for merges, by {@code forceMerge} or {@code maybeMerge}, or running one. */
      MERGING,
      /** Indexing, or possibly indexing. */
      INDEXING;

      static Activity calling(MergeTrigger trigger) {
        return trigger == MergeTrigger.EXPLICIT || trigger == MergeTrigger.MERGE_FINISHED
            ? MERGING
            : INDEXING;
      }
    }

    private final Map<Thread, Activity> standing = new HashMap<>();

    /** Records the calling thread as stalled while {@code stall} runs. */
    boolean during(Activity activity, BooleanSupplier stall) {
      standing.put(Thread.currentThread(), activity);
      try {
        return stall.getAsBoolean();
      } finally {
        standing.remove(Thread.currentThread());
      }
    }

    /** What the calling thread was doing when it stalled. */
    Activity caller() {
      return standing.getOrDefault(Thread.currentThread(), Activity.INDEXING);
    }
  }
}
