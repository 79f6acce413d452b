package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.lucene.SegmentFiles;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import io.weir.store.RateLimitedDirectory;
import io.weir.store.reads.MergeReadPacing;
import io.weir.time.Listeners;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * The merges of one writer, whoever runs them: the base of the scheduler and of the tracker. It has
 * the settings, listeners and totals of all merges, and each merge that runs. It announces a merge,
 * charges its bytes, and settles it when it has ended.
 *
 * <p><b>Threads:</b> any; those of the merges begin and end them. Nothing blocks. <b>Failure:</b> a
 * fault in {@link #announce}, {@link #enter}, {@link #leave} or {@link #ended} never reaches the
 * merge; the first one is logged.
 */
final class WriterMerges {

  final MergeBudgets budgets;
  final BacklogMonitor backlog;
  final Listeners<MergeListener> listeners =
      new Listeners<>(
          new OnceLog(MergeListener.class), "a merge listener failed; it is still called");

  private final ByteBudget budget;
  private final NanoClock clock;
  private final MergeSchedulingClass schedulingClass;
  private final GraphMemory graphMemory;
  private final OnceLog log = new OnceLog(WriterMerges.class);
  private final Map<OneMerge, RunningMerge> byMerge = new ConcurrentHashMap<>();
  private final Map<MergeKind, KindCounters> counters = new EnumMap<>(MergeKind.class);
  private final AtomicLong lastNumber = new AtomicLong();
  private final Set<MergeKind> unyielding = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Runnable> uncharged = new AtomicReference<>(() -> {});
  private volatile MergeYield yield = MergeYield.NEVER;
  private volatile MergeReadMeter readMeter = MergeReadMeter.NONE;
  private volatile boolean idleClass;

  /**
   * None yet.
   *
   * @param budget that they are charged to
   * @param schedulingClass in which they compute, if {@link #setIdleClass} says so
   * @param graphMemory in which they build vector graphs
   * @param infoStream receives what the backlog does
   */
  WriterMerges(
      ByteBudget budget,
      NanoClock clock,
      MergeSchedulingClass schedulingClass,
      GraphMemory graphMemory,
      Consumer<String> infoStream) {
    this.budget = Objects.requireNonNull(budget, "budget");
    this.budgets = new MergeBudgets(budget);
    this.clock = clock;
    this.schedulingClass = schedulingClass;
    this.graphMemory = graphMemory;
    for (MergeKind kind : MergeKind.values()) {
      counters.put(kind, new KindCounters(kind, listeners));
    }
    this.backlog = new BacklogMonitor(budgets, listeners, this::inBacklog, clock, infoStream);
  }

  /** What merges that begin from now on consult before they write or verify. */
  void setYield(MergeYield newYield) {
    yield = newYield;
  }

  /** What counts the reads of merges that begin from now on, while the budget counts reads. */
  void setReadMeter(MergeReadMeter newMeter) {
    readMeter = newMeter;
  }

  /** Whether merges compute in the idle class where that is allowed. */
  boolean hasIdleClass() {
    return idleClass;
  }

  /** Running merges leave the class at once; only those that begin from now on enter it. */
  void setIdleClass(boolean idle) {
    idleClass = idle;
  }

  /** Sets what merges that begin from now on pay for their processor time. */
  void setProcessorShare(ProcessorShare share) {
    budgets.setProcessors(share.budget());
  }

  /** Sets whether merges of one kind may yield. */
  void setYields(MergeKind kind, boolean mayYield) {
    if (mayYield) {
      unyielding.remove(kind);
    } else {
      unyielding.add(kind);
    }
  }

  /** Runs {@code action} once, when a merge writes to a directory that charges nothing. */
  void whenUncharged(Runnable action) {
    uncharged.set(action);
  }

  /**
   * Returns the merge, and registers it at the first call.
   *
   * @param kindNow asked once: a natural merge may become forced at any moment
   * @param source of the merge; empty if there is no scheduler of ours
   */
  RunningMerge open(OneMerge merge, Supplier<MergeKind> kindNow, Optional<MergeSource> source) {
    return byMerge.computeIfAbsent(
        merge,
        m -> {
          MergeKind kind = kindNow.get();
          KindCounters ofKind = counters.get(kind);
          ofKind.started.increment();
          RunningMerge running =
              new RunningMerge(
                  lastNumber.incrementAndGet(),
                  m,
                  kind,
                  source,
                  ofKind,
                  yield,
                  budget.countsReads() ? readMeter : MergeReadMeter.NONE,
                  () -> backlog.isCrowded() || unyielding.contains(kind),
                  schedulingClass,
                  () -> idleClass,
                  graphMemory,
                  clock);
          budgets.processorsForMerge(kind).ifPresent(running::paysProcessors);
          return running;
        });
  }

  /** The calling thread does something for a merge that runs, and may have to wait. */
  void works(OneMerge merge) {
    find(merge).ifPresent(running -> guard(running::works)); // it may just have ended
  }

  /** Finds a running merge. */
  Optional<RunningMerge> find(OneMerge merge) {
    return Optional.ofNullable(byMerge.get(merge));
  }

  /** Removes a merge that has ended; returns false if it was removed before. */
  boolean close(RunningMerge running, MergeTotals.Outcome outcome) {
    boolean first = byMerge.remove(running.merge, running);
    if (first) {
      running.unbind();
      counters.get(running.kind).ended(outcome);
    }
    return first;
  }

  /** No thread could be created for the merge; the writer will learn of it next. */
  void neverBegun(OneMerge merge) {
    find(merge).ifPresent(running -> close(running, MergeTotals.Outcome.FAILED));
  }

  /** The merges that run. */
  Collection<RunningMerge> all() {
    return byMerge.values();
  }

  /** Their figures. */
  List<MergeTotals> running() {
    return byMerge.values().stream()
        .map(running -> running.totals(MergeTotals.Outcome.RUNNING))
        .toList();
  }

  /** The merges that count as backlog: neither critical nor aborted. */
  List<RunningMerge> inBacklog() {
    List<RunningMerge> inBacklog = new ArrayList<>();
    for (RunningMerge running : byMerge.values()) {
      if (running.kind != MergeKind.CRITICAL && !running.merge.isAborted()) {
        inBacklog.add(running);
      }
    }
    return inBacklog;
  }

  /** How many of these threads, except {@code current}, run a critical merge. */
  int criticalBeside(Thread current, Collection<? extends Thread> mergeThreads) {
    int critical = 0;
    for (RunningMerge running : byMerge.values()) {
      Thread thread = running.thread;
      if (running.kind == MergeKind.CRITICAL
          && thread != current
          && mergeThreads.contains(thread)
          && thread.isAlive()
          && !running.merge.isAborted()) {
        critical++;
      }
    }
    return critical;
  }

  MergeKindTotals totals(MergeKind kind) {
    for (RunningMerge running : byMerge.values()) {
      if (running.kind == kind) {
        running.processor.totalNanos(); // adds what is new
      }
    }
    return counters.get(kind).totals();
  }

  Optional<ForcedMergeProgress> forcedMerge() {
    long nowNanos = clock.nanoTime();
    return ForcedMergeProgress.of(
        inBacklog().stream()
            .filter(running -> Merges.isForced(running.merge))
            .map(
                running ->
                    new ForcedMergeProgress.Part(
                        running.lastingBytes(),
                        running.estimatedBytes(),
                        running.elapsedNanos(),
                        running.speed.bytesPerSecond(nowNanos)))
            .toList());
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
    guard(() -> MergeReadPacing.begin(running::beforeRead, running::liveShare));
    guard(running::enters);
    guard(running.yield()::mergeBegins);
  }

  /** The calling thread has stopped merging. */
  void leave(RunningMerge running) {
    guard(MergeReadPacing::end);
    guard(running::leaves);
    guard(() -> running.yield().mergeEnds(Thread.currentThread()));
  }

  /**
   * Runs parts of the merge where {@code executor} does; their reads and their processor time count
   * as the merge's. It is the plain executor if the merge is unknown.
   */
  Executor parts(OneMerge merge, Executor executor) {
    return find(merge).map(running -> parts(running, executor)).orElse(executor);
  }

  private Executor parts(RunningMerge running, Executor executor) {
    return task -> {
      Runnable part = part(running, task);
      try {
        running.computing.starts(() -> executor.execute(part)); // which may start a thread
      } catch (RejectedExecutionException e) {
        part.run(); // another writer has closed since, and shut down Lucene's threads
      }
    };
  }

  private Runnable part(RunningMerge running, Runnable task) {
    return () -> {
      guard(running.yield()::mergeBegins);
      try {
        running.others.runs(task);
      } finally {
        guard(() -> running.yield().mergeEnds(Thread.currentThread()));
      }
    };
  }

  /** Ends the merge. */
  void ended(RunningMerge running, MergeTotals.Outcome outcome) {
    try {
      guard(() -> MergeCleanup.settle(running, outcome));
    } finally { // a merge that stayed registered after an Error would count as backlog for ever
      guard(
          () -> {
            if (close(running, outcome)) {
              backlog.ended(running, outcome);
            }
          });
    }
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
      log.warn("the figures of a merge are wrong; the merge is not affected", e);
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

  /**
   * The directory of one merge: records the name of the merged segment as soon as one of its files
   * is created, and the files that the merge creates.
   *
   * <p>A merge of {@code addIndexes(CodecReader...)} has no name before that. <b>Threads:</b> as
   * the directory below.
   */
  private static final class MergeDirectory extends FilterDirectory {

    private final RunningMerge running;

    MergeDirectory(Directory in, RunningMerge running) {
      super(in);
      this.running = running;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      running.writes(SegmentFiles.segmentOf(name));
      running.created().add(name);
      return in.createOutput(name, context);
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
        throws IOException {
      running.writes(SegmentFiles.segmentOf(prefix));
      IndexOutput output = in.createTempOutput(prefix, suffix, context);
      running.created().add(output.getName());
      return output;
    }

    @Override
    public void deleteFile(String name) throws IOException {
      in.deleteFile(name);
      running.created().remove(name);
    }
  }
}
