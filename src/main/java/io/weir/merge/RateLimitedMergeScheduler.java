package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.merge.BacklogMonitor.StalledThreads;
import io.weir.merge.MergeCancellations.PendingMerges;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.ProcessorShare;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.SameThreadExecutorService;

/**
 * Lucene's concurrent merge scheduler under a {@link ByteBudget}: it knows each merge, its purpose,
 * and when it is aborted.
 *
 * <p><b>Budgets.</b> Each merge has a budget of its own. Below the given budget is this scheduler's
 * share, below that a budget for each {@link MergeKind}, below those one for each merge. So
 * competing schedulers get equal shares, or shares by {@link #setShareWeight weight}, and so do
 * merges of one kind.
 *
 * <p>If there is a {@link RateLimitedDirectory} below the writer, it charges the merge's budget
 * instead of its own, each byte once. If the directory's budget is a child of the scheduler's, the
 * scheduler's share is placed below the child. If the two are unrelated, both are charged, once.
 *
 * <p>Without such a directory, the scheduler charges the bytes itself. It then only debits the
 * compound file and the {@code .si} file when the merge is done, because the writer creates them
 * past the scheduler. These are not paced, and an abort waits for the compound file. The temporary
 * files of a reordering merge policy are not charged. Such a directory paces them all.
 *
 * <p><b>Waiting.</b> A merge that {@code getReader} or {@code commit} waits for never waits itself:
 * it is debited. Other merges wait in Lucene's {@code OneMergeProgress}, so {@code rollback},
 * {@code deleteAll} and an abort end the wait at once, and the writer's messages count it. A merge
 * that does not wait notices an abort at its next 32 KiB. The lower of Lucene's and ours wins.
 *
 * <p><b>Memory.</b> A merge begins a vector graph when the heap has room for it beside those of all
 * other merges of the process. While it has one no cap on bytes lets it wait: it is debited.
 *
 * <p><b>Backlog.</b> A backlog lifts the cap before indexing would stall ({@link
 * #setLiftBeforeStall}). A thread that reopens or commits does not stall while a cap holds.
 *
 * <p><b>Close.</b> {@code IndexWriter.close} waits for running merges, as in Lucene, and lifts the
 * cap for them; {@link #setOnClose} offers other actions. {@code rollback} aborts merges.
 *
 * <p><b>Threads:</b> any thread may call every method. Settings may be changed at any time. They
 * apply to running merges too, except the yield, the read meter, the processor share and the size
 * of small merges. <b>Ownership:</b> one writer at a time, that of the first merge or flush;
 * another one may follow after it is closed. Any other open writer gets an {@link
 * IllegalStateException} when it asks for merges ({@code forceMerge}, {@code maybeMerge}). Its
 * flushes, its commits and its close only log a warning, and their merges run; its documents are
 * safe. The budget belongs to its creator. <b>Failure:</b> a fault in the accounting of a merge is
 * logged and does not affect the merge.
 */
public class RateLimitedMergeScheduler extends ConcurrentMergeScheduler implements MergeActivity {

  private final ByteBudget budget;
  private final WriterMerges merges;
  private final MergeCancellations cancellations;
  private final SingleWriterGuard writer = new SingleWriterGuard();
  private final StalledThreads stalls = new StalledThreads(); // guarded by this
  private volatile CloseAction onClose = CloseAction.LIFT;
  private volatile long smallMergeMaxBytes;

  /** With an unlimited budget of its own. */
  public RateLimitedMergeScheduler() {
    this(new ByteBudget(BudgetOptions.named("merges")));
  }

  /**
   * With a budget that may be shared with other schedulers and directories. Subclass it only where
   * an engine creates the scheduler by class name: to give it a constructor without parameters.
   */
  @SuppressWarnings("this-escape") // calls a private method, and that later
  public RateLimitedMergeScheduler(ByteBudget budget) {
    this(
        budget,
        NanoClock.SYSTEM,
        MergeSchedulingClass.OF_THIS_PROCESS,
        GraphMemory.OF_THIS_PROCESS);
  }

  RateLimitedMergeScheduler(
      ByteBudget budget,
      NanoClock clock,
      MergeSchedulingClass schedulingClass,
      GraphMemory graphMemory) {
    this.budget = Objects.requireNonNull(budget, "budget");
    this.merges = new WriterMerges(budget, clock, schedulingClass, graphMemory, this::say);
    this.cancellations = new MergeCancellations(merges);
  }

  /** The budget that merges are charged to. */
  public ByteBudget budget() {
    return budget;
  }

  /** Sets the cap of the budget, for all indexes that share it. */
  public void setBytesPerSecond(long bytesPerSecond) {
    budget.setBytesPerSecond(bytesPerSecond);
  }

  /** Sets the share of the budget, relative to competing schedulers. */
  public void setShareWeight(int weight) {
    merges.budgets.setWeight(weight);
  }

  /** Sets a cap for natural merges, within the budget's. */
  public void setNaturalMergeBytesPerSecond(long bytesPerSecond) {
    merges.budgets.setRate(MergeKind.NATURAL, Rate.perSecond(bytesPerSecond));
  }

  /** Sets a separate cap for forced merges, within the budget's. */
  public void setForcedMergeBytesPerSecond(long bytesPerSecond) {
    merges.budgets.setRate(MergeKind.FORCED, Rate.perSecond(bytesPerSecond));
  }

  /**
   * Sets the rate of one kind of merges, within the budget's.
   *
   * @throws IllegalArgumentException for critical merges, which never wait
   */
  public void setRate(MergeKind kind, Rate rate) {
    Objects.requireNonNull(kind, "kind");
    merges.budgets.setRate(kind, rate);
  }

  /**
   * Sets whether merges of one kind wait or are debited.
   *
   * @throws IllegalArgumentException for critical merges, which never wait
   */
  public void setPacing(MergeKind kind, Pacing pacing) {
    Objects.requireNonNull(kind, "kind");
    merges.budgets.setPacing(kind, pacing);
  }

  /** {@link #setPacing} of natural merges by name: {@code paced} or {@code debited}. */
  public void setNaturalMergePacing(String pacing) {
    Objects.requireNonNull(pacing, "pacing");
    setPacing(MergeKind.NATURAL, NamedChoice.parse("naturalMergePacing", pacing, Pacing.class));
  }

  /** {@link #setPacing} of forced merges by name: {@code paced} or {@code debited}. */
  public void setForcedMergePacing(String pacing) {
    Objects.requireNonNull(pacing, "pacing");
    setPacing(MergeKind.FORCED, NamedChoice.parse("forcedMergePacing", pacing, Pacing.class));
  }

  /**
   * Sets what merges that begin from now on consult before they write or read. Critical merges must
   * not yield, and no merge yields while indexing is about to stall.
   */
  public void setYield(MergeYield yield) {
    Objects.requireNonNull(yield, "yield");
    merges.setYield(yield);
  }

  /**
   * Sets whether merges of one kind, also running ones, consult the yield and leave the disk to
   * commits; true by default. A {@code MergeDeadline} that is at risk sets it to false.
   *
   * @throws IllegalArgumentException for critical merges, which never yield
   */
  public void setYields(MergeKind kind, boolean yields) {
    Objects.requireNonNull(kind, "kind");
    merges.setYields(MergeBudgets.mayWait(kind), yields);
  }

  /** Sets what counts reads of merges that begin from now on, while the budget counts reads. */
  public void setReadMeter(MergeReadMeter meter) {
    Objects.requireNonNull(meter, "meter");
    merges.setReadMeter(meter);
  }

  /**
   * Sets whether natural and forced merges compute in Linux's class {@code SCHED_IDLE}, as {@link
   * MergeSchedulingClass} says; false by default. Merges that run can leave it, and not enter it.
   */
  public void setIdleClass(boolean idle) {
    merges.setIdleClass(idle);
  }

  /** What {@link #setIdleClass} says. */
  public boolean hasIdleClass() {
    return merges.hasIdleClass();
  }

  /**
   * Sets what merges that begin from now on pay for the processor time of their threads. They pay
   * nothing before this call. The share belongs to its creator.
   */
  public void setProcessorShare(ProcessorShare share) {
    merges.setProcessorShare(Objects.requireNonNull(share, "share"));
  }

  /**
   * Returns a policy that chooses the same merges as {@code policy}, or that itself if it is of
   * here. Each of them pays for its processor time also while it builds a vector graph.
   */
  public MergePolicy asking(MergePolicy policy) {
    return AskingMergePolicy.over(Objects.requireNonNull(policy, "policy"), merges);
  }

  /**
   * Sets the expected size up to which natural merges do not wait.
   *
   * @param maxBytes at least 0 bytes; 0, the default, exempts none
   * @throws IllegalArgumentException if it is negative
   */
  public void setSmallMergeMaxBytes(long maxBytes) {
    if (maxBytes < 0) {
      throw new IllegalArgumentException(
          "smallMergeMaxBytes must be at least 0 bytes: " + maxBytes);
    }
    smallMergeMaxBytes = maxBytes;
  }

  /**
   * Sets whether the cap is lifted before Lucene stalls indexing; true by default. All merges of
   * this scheduler then run at full speed, debited to the budget, until half of the backlog is
   * gone. Any number of forced merges alone does not lift the cap, until an indexing thread would
   * stall behind them.
   */
  public void setLiftBeforeStall(boolean enabled) {
    merges.backlog.setLiftBeforeStall(enabled);
  }

  /** Sets what closing the writer does with its merges; {@link CloseAction#LIFT} by default. */
  public void setOnClose(CloseAction action) {
    onClose = Objects.requireNonNull(action, "action");
  }

  /** {@link #setOnClose(CloseAction)} by name: {@code lift}, {@code finish} or {@code abort}. */
  public void setOnClose(String action) {
    Objects.requireNonNull(action, "action");
    setOnClose(NamedChoice.parse("onClose", action, CloseAction.class));
  }

  /**
   * Runs {@code action} once, on the merging thread, when a merge writes to a directory without a
   * {@link RateLimitedDirectory}. This scheduler then charges the merge itself. An exception of the
   * action is logged.
   */
  public void whenUncharged(Runnable action) {
    merges.whenUncharged(Objects.requireNonNull(action, "action"));
  }

  @Override
  public void addListener(MergeListener listener) {
    merges.listeners.add(listener);
  }

  @Override
  public void removeListener(MergeListener listener) {
    Objects.requireNonNull(listener, "listener");
    merges.listeners.remove(listener);
  }

  /** How often a listener threw. */
  public long listenerFailures() {
    return merges.listeners.failures();
  }

  @Override
  public List<MergeTotals> running() {
    return merges.running();
  }

  @Override
  public MergeKindTotals totals(MergeKind kind) {
    Objects.requireNonNull(kind, "kind");
    return merges.totals(kind);
  }

  @Override
  public Optional<ForcedMergeProgress> forcedMerge() {
    return merges.forcedMerge();
  }

  @Override
  public MergeDebtSnapshot debt() {
    return merges.backlog.debt(OptionalInt.of(getMaxMergeCount()));
  }

  /**
   * Aborts all running and pending forced merges. The index stays as it was, and the writer stays
   * open. A thread that waits in {@code forceMerge} gets an {@link IOException}, <i>background
   * merge hit exception</i>, with a {@link MergeAbortedException} as its cause. Lucene lets it
   * return normally if the merge had reached its compound file, or had begun before the {@code
   * forceMerge}. {@code forceMerge(n, false)} has returned before. Natural merges that are pending
   * begin at once, all of them, even if more then run than {@link #getMaxMergeCount} allows: a
   * forced merge may be pending behind them, and Lucene hands out merges in their order.
   *
   * <p>The merges end soon after this method returns. A {@code forceMerge} that is called before
   * their threads have ended, a moment after {@link #sync}, may be cancelled with them.
   *
   * <p>Until the next {@code forceMerge}, Lucene remembers the segments to be merged. A later
   * natural merge of one of them counts as forced; when it is done Lucene resumes merging the rest.
   * {@code forceMerge(Integer.MAX_VALUE)} flushes, finds nothing to merge, and makes it forget.
   *
   * @return the number of cancelled merges
   * @throws IOException if a pending merge could not be taken from the writer
   */
  public int cancelForcedMerges() throws IOException {
    List<RunningMerge> cancelled;
    synchronized (this) {
      cancelled =
          merges.all().stream()
              .filter(a -> Merges.isForced(a.merge) && !a.merge.isAborted())
              .toList();
      cancellations.beginSweep(cancelled.stream().map(a -> a.thread).toList());
      cancelled.forEach(a -> a.merge.setAborted());
      notifyAll();
    }
    int pending;
    try {
      for (MergeSource source : cancellations.sources()) {
        try {
          super.merge(queue(source, MergeTrigger.EXPLICIT), MergeTrigger.EXPLICIT);
        } catch (IllegalStateException e) {
          // A failure has closed this writer, so its merges have ended.
        }
      }
    } finally {
      pending = cancellations.endSweep();
    }
    return cancelled.size() + pending;
  }

  @Override
  public void merge(MergeSource mergeSource, MergeTrigger trigger) throws IOException {
    MergeSource source = PendingMerges.unwrap(mergeSource);
    writer.calls(source, trigger);
    cancellations.met(source);
    if (trigger == MergeTrigger.CLOSING) {
      synchronized (this) {
        cancellations.closing(source, onClose);
        notifyAll();
      }
    }
    look(getMaxMergeCount());
    super.merge(queue(source, trigger), trigger);
  }

  /** Waits for all merges, including those of a second writer. */
  @Override
  public void close() throws IOException {
    cancellations.beginClose();
    try {
      super.close();
      synchronized (this) {
        intraMergeExecutor = null; // it is shut down; the next writer gets a new one
      }
    } finally {
      cancellations.endClose();
      writer.closed();
    }
  }

  @Override
  protected synchronized boolean maybeStall(MergeSource mergeSource) {
    if (!(mergeSource instanceof PendingMerges queue)) {
      return super.maybeStall(mergeSource);
    }
    if (cancellations.takesAll(queue.source())) {
      return true;
    }
    int maxMergeCount = getMaxMergeCount();
    boolean tooMany = queue.hasPendingMerges() && mergeThreadCount() >= maxMergeCount;
    boolean paced = merges.budgets.arePaced();
    StalledThreads.Activity caller = StalledThreads.Activity.calling(queue.trigger());
    merges.backlog.look(maxMergeCount, tooMany ? caller : StalledThreads.Activity.NONE);
    boolean ofMergeThread = mergeThreads.contains(Thread.currentThread());
    if (tooMany && paced && !ofMergeThread && queue.isOfReaderOrCommit()) {
      // Some of the pending merges are those it will wait for next, or it does not need them.
      return queue.trigger() != MergeTrigger.FULL_FLUSH && mergeThreadCount() < 2 * maxMergeCount;
    }
    return stalls.during(caller, () -> super.maybeStall(mergeSource));
  }

  /** A cap that is set while indexing stalls must be lifted too; nothing else would check. */
  @Override
  protected synchronized void doStall() {
    merges.backlog.look(getMaxMergeCount(), stalls.caller());
    super.doStall();
  }

  @Override
  public synchronized int mergeThreadCount() {
    return super.mergeThreadCount() - merges.criticalBeside(Thread.currentThread(), mergeThreads);
  }

  @Override
  protected synchronized MergeThread getMergeThread(MergeSource mergeSource, OneMerge merge)
      throws IOException {
    MergeThread thread = super.getMergeThread(mergeSource, merge);
    open(mergeSource, merge).thread = thread;
    return thread;
  }

  @Override
  protected void doMerge(MergeSource mergeSource, OneMerge merge) throws IOException {
    RunningMerge running;
    try {
      running = open(mergeSource, merge);
    } catch (Throwable t) {
      mergeSource.onMergeFinished(merge); // or the writer would wait for it
      throw t;
    }
    merges.announce(running);
    merges.enter(running);
    merges.guard(() -> look(getMaxMergeCount()));
    Throwable failure = null;
    try {
      super.doMerge(mergeSource, merge);
    } catch (Throwable t) {
      failure = t;
      throw t;
    } finally {
      if (failure != null) {
        cancellations.failed(); // before it is shown as ended: merges after it are not cancelled
      }
      int maxMergeCount = getMaxMergeCount(); // now: a cancellation may hold the lock later
      merges.leave(running);
      merges.ended(running, MergeCleanup.outcome(running, failure));
      merges.guard(() -> look(maxMergeCount));
    }
  }

  @Override
  public Directory wrapForMerge(OneMerge merge, Directory in) {
    RunningMerge running =
        merges
            .find(merge)
            .orElseThrow(() -> new AssertionError("the merge was not begun by this scheduler"));
    Directory charged = merges.wrap(running, in);
    if (running.kind == MergeKind.CRITICAL) {
      return charged; // Lucene's limiter could pause it
    }
    return LuceneLimitedDirectory.wrap(
        charged,
        directory -> super.wrapForMerge(merge, directory),
        Merges.contextOf(merge),
        running.graphs::isHeld);
  }

  @Override
  public Executor getIntraMergeExecutor(OneMerge merge) {
    merges.find(merge).ifPresent(running -> merges.guard(running.computing::begins));
    Executor inherited = intraMergeExecutor == null ? null : super.getIntraMergeExecutor(merge);
    // An executor that runs tasks in the calling thread is shut down too, and stays so.
    if (inherited == null || inherited instanceof SameThreadExecutorService) {
      return Runnable::run;
    }
    return merges.parts(merge, inherited);
  }

  /** Returns the merge, and registers it at the first call. */
  private RunningMerge open(MergeSource mergeSource, OneMerge merge) {
    MergeSource source = PendingMerges.unwrap(mergeSource);
    RunningMerge running = merges.open(merge, () -> MergeKind.of(merge), Optional.of(source));
    boolean small =
        running.kind == MergeKind.NATURAL
            && merge.estimatedMergeBytes >= 0
            && merge.estimatedMergeBytes <= smallMergeMaxBytes;
    if (small || cancellations.releases(source)) {
      running.release();
    }
    return running;
  }

  private void look(int maxMergeCount) {
    merges.backlog.look(maxMergeCount, StalledThreads.Activity.NONE);
  }

  private PendingMerges queue(MergeSource source, MergeTrigger trigger) {
    return new PendingMerges(source, trigger, cancellations, merges::neverBegun);
  }

  private void say(String what) {
    if (verbose()) {
      message(what);
    }
  }
}
