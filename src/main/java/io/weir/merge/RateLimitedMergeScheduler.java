package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.store.RateLimitedDirectory;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/**
 * Lucene's concurrent scheduler, under a {@link ByteBudget}: it knows each merge, what it is for
 * and when it is called off.
 *
 * <p><b>Who pays.</b> Each merge has a budget of its own: under the one given here stands this
 * scheduler's share, under it one for each {@link MergeKind}, under that one for each merge. So
 * schedulers that compete get equal shares, or by {@link #setShareWeight weight}, and merges of one
 * kind too. Where a {@link RateLimitedDirectory} lies under the writer, it charges the merge's
 * budget instead of its own, each byte once; if its budget is not above or below the scheduler's,
 * both are charged, each once, and if it is below (a child), the scheduler's share stands under it.
 * Where there is none, the scheduler charges the bytes itself; but the compound file and the {@code
 * .si}, which the writer makes past it, are only debited when the merge is done. They are not
 * paced, and an abort waits for the compound file; what a reordering merge policy writes to
 * temporary files is not charged at all. Use a {@link RateLimitedDirectory} to pace them.
 *
 * <p><b>Who waits.</b> Never a merge that {@code getReader} or {@code commit} waits for: it is
 * debited. The others wait in Lucene's own place for it, so that {@code rollback}, {@code
 * deleteAll} and an abort end the wait at once and the writer's messages count it; a merge that
 * does not wait notices an abort at its next 32 KiB. Lucene's limits hold too: the lower wins.
 *
 * <p><b>A backlog</b> lifts the cap before indexing would stand still ({@link
 * #setLiftBeforeStall}). A thread that reopens or commits does not stand still while a cap holds.
 *
 * <p><b>{@code IndexWriter.close} waits for what runs</b>, as it does in Lucene, and lifts the cap
 * for it; {@link #setOnClose} offers other ways. {@code rollback} aborts.
 *
 * <p><b>Threads:</b> every method may be called from any. <b>Ownership:</b> one writer at a time;
 * another one may follow when it is closed. A second one at the same time is refused with an {@link
 * IllegalStateException} when it asks for merges ({@code forceMerge}, {@code maybeMerge}); its
 * documents are safe, and its flushes and its close only warn. The budget stays with its maker.
 * <b>Failure:</b> what goes wrong in the books of a merge is logged and leaves the merge alone.
 */
public final class RateLimitedMergeScheduler extends BudgetedMergeScheduler {

  private final MergeListeners listeners = new MergeListeners();
  private final RunningMerges accounts;
  private final BacklogMonitor watch;
  private final MergeLifecycle books;
  private final MergeCancellations cancellations = new MergeCancellations();
  private final SingleWriterGuard served = new SingleWriterGuard();
  private final StalledThreads stalls = new StalledThreads(); // guarded by this
  private volatile CloseAction onClose = CloseAction.LIFT;

  /** With an unlimited budget of its own, for engines that make it by name and set it up later. */
  public RateLimitedMergeScheduler() {
    this(new ByteBudget(BudgetOptions.named("merges")));
  }

  /** With a budget that may be shared with other schedulers and directories. */
  public RateLimitedMergeScheduler(ByteBudget budget) {
    this(budget, NanoClock.SYSTEM);
  }

  RateLimitedMergeScheduler(ByteBudget budget, NanoClock clock) {
    super(budget);
    this.accounts = new RunningMerges(clock, listeners, this::yield);
    this.watch = new BacklogMonitor(shares, accounts, listeners, clock, this::say);
    this.books = new MergeLifecycle(budget, shares, accounts, watch, cancellations);
  }

  /** Natural merges that are expected to be no larger do not wait; 0, the default, is for none. */
  public void setSmallMergeMaxBytes(long maxBytes) {
    books.setSmallMergeMaxBytes(maxBytes);
  }

  /**
   * Whether the cap gives way before Lucene makes indexing stand still; the default. All merges of
   * this scheduler then run at full speed, owed to the budget, until half of the backlog is gone.
   * Forced merges alone do not lift it, however many: only once a thread that indexes would stand
   * still behind them.
   */
  public void setLiftBeforeStall(boolean enabled) {
    watch.setLiftBeforeStall(enabled);
  }

  /** What closing the writer does to its merges; {@link CloseAction#LIFT} by default. */
  public void setOnClose(CloseAction action) {
    onClose = Objects.requireNonNull(action, "action");
  }

  /** {@link #setOnClose(CloseAction)} by name: {@code lift}, {@code finish} or {@code abort}. */
  public void setOnClose(String action) {
    setOnClose(named(CloseAction.class, "onClose", action));
  }

  /** From now on {@code listener} is told what this does. */
  public void addListener(MergeListener listener) {
    listeners.add(listener);
  }

  /** It is told no more. */
  public void removeListener(MergeListener listener) {
    listeners.remove(listener);
  }

  /** How often a listener threw. */
  public long listenerFailures() {
    return listeners.failures();
  }

  /** The merges that run now. */
  public List<MergeTotals> running() {
    return accounts.running().stream().map(a -> a.totals(MergeTotals.Outcome.RUNNING)).toList();
  }

  /** All merges of one kind so far. */
  public MergeKindTotals totals(MergeKind kind) {
    return accounts.totals(kind);
  }

  /** How far the forced merges are; empty when none runs. */
  public Optional<ForcedMergeProgress> forcedMerge() {
    return accounts.forcedMerge();
  }

  /** Whether merges keep up with indexing. */
  public MergeDebtSnapshot debt() {
    return watch.debt(getMaxMergeCount());
  }

  /**
   * Aborts the forced merges that run or are pending. The index stays as it was and the writer goes
   * on. A thread that waits in {@code forceMerge} gets an {@link IOException}, <i>background merge
   * hit exception</i>, with a {@link MergeAbortedException} as its cause. By Lucene's choice it
   * just returns when the merge had come to its compound file, or is older than the {@code
   * forceMerge}; and {@code forceMerge(n, false)} has returned long before. Natural merges that
   * pend behind it are begun at once, even if that is one too many.
   *
   * <p>The merges end soon after, not before this returns. A {@code forceMerge} that is called
   * before their threads have ended ({@link #sync} waits for that) may be called off with them.
   *
   * <p>Lucene remembers until the next {@code forceMerge} which segments were to be merged. A later
   * natural merge that takes one of them in counts as forced, and when it is done Lucene takes up
   * the rest again. To make it forget, call {@code forceMerge(Integer.MAX_VALUE)}, which flushes
   * and finds nothing to merge.
   *
   * @return how many merges were called off
   * @throws IOException if a pending merge could not be taken from the writer
   */
  public int cancelForcedMerges() throws IOException {
    List<RunningMerge> cancelled;
    synchronized (this) {
      cancelled =
          accounts.running().stream()
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
          // How a writer says that a failure has closed it: its merges have ended.
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
    served.calls(source, trigger);
    cancellations.met(source);
    if (trigger == MergeTrigger.CLOSING) {
      synchronized (this) {
        books.closing(source, onClose);
        notifyAll();
      }
    }
    watch.look(getMaxMergeCount(), StalledThreads.Who.NOBODY);
    super.merge(queue(source, trigger), trigger);
  }

  /** Waits for all merges, those of a second writer too. */
  @Override
  public void close() throws IOException {
    books.beginClose();
    try {
      super.close();
    } finally {
      books.endClose();
      served.closed();
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
    boolean paced = shares.arePaced();
    StalledThreads.Who caller = StalledThreads.Who.calling(queue.trigger());
    watch.look(maxMergeCount, tooMany ? caller : StalledThreads.Who.NOBODY);
    boolean ofMergeThread = mergeThreads.contains(Thread.currentThread());
    if (tooMany && paced && !ofMergeThread && queue.isOfReaderOrCommit()) {
      // Some of the pending merges are what it will wait for next, or it has no use for them.
      return queue.trigger() != MergeTrigger.FULL_FLUSH && mergeThreadCount() < 2 * maxMergeCount;
    }
    return stalls.during(caller, () -> super.maybeStall(mergeSource));
  }

  /** A cap that comes while indexing stands still must give way too; nothing else would look. */
  @Override
  protected synchronized void doStall() {
    watch.look(getMaxMergeCount(), stalls.caller());
    super.doStall();
  }

  @Override
  public synchronized int mergeThreadCount() {
    return super.mergeThreadCount() - accounts.criticalBeside(Thread.currentThread(), mergeThreads);
  }

  @Override
  protected synchronized MergeThread getMergeThread(MergeSource mergeSource, OneMerge merge)
      throws IOException {
    MergeThread thread = super.getMergeThread(mergeSource, merge);
    books.open(mergeSource, merge).thread = thread;
    return thread;
  }

  @Override
  protected void doMerge(MergeSource mergeSource, OneMerge merge) throws IOException {
    RunningMerge account = books.open(mergeSource, merge);
    books.began(account, getMaxMergeCount());
    Throwable failure = null;
    try {
      super.doMerge(mergeSource, merge);
    } catch (Throwable t) {
      failure = t;
      throw t;
    } finally {
      if (failure != null) {
        cancellations.failed(); // before it is shown as ended: what follows is not cancelled
      }
      books.ended(account, failure, getMaxMergeCount());
    }
  }

  @Override
  public Directory wrapForMerge(OneMerge merge, Directory in) {
    RunningMerge account =
        accounts
            .find(merge)
            .orElseThrow(() -> new AssertionError("the merge was not begun by this scheduler"));
    Directory charged = books.wrap(account, in);
    if (account.kind == MergeKind.CRITICAL) {
      return charged; // Lucene's limiter could pause it
    }
    return LuceneLimitedDirectory.wrap(
        charged,
        directory -> super.wrapForMerge(merge, directory),
        IOContext.merge(merge.getStoreMergeInfo()));
  }

  private PendingMerges queue(MergeSource source, MergeTrigger trigger) {
    return new PendingMerges(source, trigger, cancellations, this::neverBegun);
  }

  /** There could be no thread for it, and the writer is about to be told. */
  private void neverBegun(OneMerge merge) {
    accounts.find(merge).ifPresent(a -> accounts.close(a, MergeTotals.Outcome.FAILED));
  }

  private void say(String what) {
    if (verbose()) {
      message(what);
    }
  }
}
