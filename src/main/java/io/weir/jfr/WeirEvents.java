package io.weir.jfr;

import io.weir.control.DeadlineSnapshot;
import io.weir.control.GoalDecision;
import io.weir.control.GoalListener;
import io.weir.control.GoalReason;
import io.weir.control.LatencyGoal;
import io.weir.control.MergeDeadline;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeListener;
import io.weir.merge.MergeTotals;
import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.ReopenResult;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Procfs;
import io.weir.procfs.VmStat;
import io.weir.rate.BudgetListener;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * Writes merges, reopens, waits, latency goals, deadlines and dirty pages as flight-recorder events
 * until it is closed.
 *
 * <pre>{@code
 * WeirEvents events = new WeirEvents();
 * events.add(budget);
 * events.add("products", weir.scheduler());
 * events.add("products", reopens);
 * events.addDirtyPages(Procfs.SYSTEM);
 * }</pre>
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns its listeners, not the objects that it listens to.
 */
public final class WeirEvents implements AutoCloseable {

  static final FiguresEvent<MergeTotals> MERGE =
      FiguresEvent.of(
          "Merge",
          "Merge",
          "A merge, from its start to its end",
          "Merges",
          "index",
          MergeTotals.FIGURES);

  static final FiguresEvent<DeadlineSnapshot> DEADLINE =
      FiguresEvent.of(
          "MergeDeadline",
          "Merge Deadline",
          "Whether forced merges will be done by their deadline",
          "Merges",
          "index",
          DeadlineSnapshot.FIGURES,
          FiguresEvent.period("1 s"));

  static final FiguresEvent<GoalDecision> GOAL =
      FiguresEvent.of(
          "LatencyGoal",
          "Latency Goal",
          "A latency goal changed the rate of its budget, or has a new reason to leave it",
          "Budget",
          "budget",
          GoalDecision.FIGURES);

  private final Deque<Runnable> ends = new ArrayDeque<>(); // guarded by this

  /** Records waits for {@code budget} and its children, and changes of its rate. */
  public synchronized void add(ByteBudget budget) {
    Objects.requireNonNull(budget, "budget");
    BudgetListener listener = new Waits(budget.name());
    budget.addListener(listener);
    ends.push(() -> budget.removeListener(listener));
  }

  /**
   * Records merges.
   *
   * @param index the index name to write with each event
   */
  public synchronized void add(String index, MergeActivity merges) {
    Objects.requireNonNull(index, "index");
    Objects.requireNonNull(merges, "merges");
    MergeListener listener = new Merges(index);
    merges.addListener(listener);
    ends.push(() -> merges.removeListener(listener));
  }

  /**
   * Records reopens with their phases.
   *
   * @param index the index name to write with each event
   */
  public synchronized void add(String index, ReopenMonitor monitor) {
    Objects.requireNonNull(index, "index");
    Objects.requireNonNull(monitor, "monitor");
    ReopenListener listener = new Reopens(index);
    monitor.addListener(listener);
    ends.push(() -> monitor.removeListener(listener));
  }

  /** Records the decisions of a latency goal that changed the rate or have a new reason. */
  public synchronized void add(LatencyGoal goal) {
    Objects.requireNonNull(goal, "goal");
    GoalListener listener = new Goals(goal.budget().name());
    goal.addListener(listener);
    ends.push(() -> goal.removeListener(listener));
  }

  /**
   * Samples a deadline for forced merges at the recording's period; by default once a second.
   *
   * @param index the index name to write with each event
   */
  public synchronized void add(String index, MergeDeadline deadline) {
    Objects.requireNonNull(index, "index");
    Objects.requireNonNull(deadline, "deadline");
    addPeriodic(
        DEADLINE.type(), () -> DEADLINE.commit(DEADLINE.begin(), index, deadline.snapshot()));
  }

  /** Samples dirty pages at the recording's period; by default once a second. */
  public synchronized void addDirtyPages(Procfs procfs) {
    Objects.requireNonNull(procfs, "procfs");
    addPeriodic(DirtyEvent.class, () -> sample(procfs));
  }

  private void addPeriodic(Class<? extends Event> event, Runnable sample) {
    FlightRecorder.addPeriodicEvent(event, sample);
    ends.push(() -> FlightRecorder.removePeriodicEvent(sample));
  }

  /** Stops recording. */
  @Override
  public synchronized void close() {
    while (!ends.isEmpty()) {
      ends.pop().run();
    }
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static void sample(Procfs procfs) {
    DirtyEvent event = new DirtyEvent();
    Optional<MemInfo> memory = procfs.memInfo();
    Optional<VmStat> thresholds = procfs.vmStat();
    event.dirtyBytes = orUnknown(memory, MemInfo::dirtyBytes);
    event.writebackBytes = orUnknown(memory, MemInfo::writebackBytes);
    event.backgroundThresholdBytes = orUnknown(thresholds, VmStat::dirtyBackgroundThresholdBytes);
    event.thresholdBytes = orUnknown(thresholds, VmStat::dirtyThresholdBytes);
    event.commit();
  }

  private static <T> long orUnknown(Optional<T> from, Function<T, OptionalLong> field) {
    return from.map(field).orElse(OptionalLong.empty()).orElse(-1);
  }

  /** Keeps each wait by its thread; both calls come on the waiting thread. */
  private static final class Waits implements BudgetListener {

    private final String budget;
    private final Map<Long, WaitEvent> waiting = new ConcurrentHashMap<>(); // by thread

    Waits(String budget) {
      this.budget = budget;
    }

    @Override
    public void waitStarted(long requestedBytes) {
      WaitEvent event = new WaitEvent();
      if (event.isEnabled()) {
        event.requestedBytes = requestedBytes;
        event.begin();
        waiting.put(Thread.currentThread().threadId(), event);
      }
    }

    @Override
    public void waitEnded(long grantedBytes, long waitNanos) {
      WaitEvent event = waiting.remove(Thread.currentThread().threadId());
      if (event != null) {
        event.budget = budget;
        event.grantedBytes = grantedBytes;
        event.commit();
      }
    }

    @Override
    public void rateChanged(Rate before, Rate after) {
      RateEvent event = new RateEvent();
      if (event.shouldCommit()) {
        event.budget = budget;
        event.before = before.toString();
        event.after = after.toString();
        event.commit();
      }
    }
  }

  /** Compares each decision with the one before; all come on the goal's thread. */
  private static final class Goals implements GoalListener {

    private final String budget;
    private GoalReason lastReason; // null before the first decision

    Goals(String budget) {
      this.budget = budget;
    }

    @Override
    public void decided(GoalDecision decision) {
      boolean isNew = decision.isChange() || decision.reason() != lastReason;
      lastReason = decision.reason();
      Event event = GOAL.begin();
      if (isNew && event.shouldCommit()) {
        GOAL.commit(event, budget, decision);
      }
    }
  }

  private static final class Merges implements MergeListener {

    private final String index;
    private final Map<Long, Event> running = new ConcurrentHashMap<>();

    Merges(String index) {
      this.index = index;
    }

    @Override
    public void mergeStarted(MergeTotals merge) {
      MergeStartEvent start = new MergeStartEvent();
      if (start.shouldCommit()) {
        start.index = index;
        start.number = merge.number();
        start.kind = name(merge.kind());
        start.estimatedBytes = merge.estimatedBytes().orElse(-1);
        start.commit();
      }
      Event event = MERGE.begin();
      if (event.isEnabled()) {
        event.begin();
        running.put(merge.number(), event);
      }
    }

    @Override
    public void mergeFinished(MergeTotals merge) {
      Event event = running.remove(merge.number());
      if (event != null && event.shouldCommit()) {
        MERGE.commit(event, index, merge);
      }
    }
  }

  /** Collects a reopen's phases; they come before its end, on the same thread. */
  private static final class Reopens implements ReopenListener {

    private final String index;
    private final Map<Long, ReopenEvent> current = new ConcurrentHashMap<>(); // by thread

    Reopens(String index) {
      this.index = index;
    }

    @Override
    public void phaseEnded(ReopenPhase phase, long phaseNanos) {
      ReopenEvent event = current.get(Thread.currentThread().threadId());
      if (event == null) {
        event = new ReopenEvent();
        if (!event.isEnabled()) {
          return;
        }
        current.put(Thread.currentThread().threadId(), event);
      }
      switch (phase) {
        case LOCK_WAIT -> event.lockWaitNanos = phaseNanos;
        case FLUSH -> event.flushNanos = phaseNanos;
        case APPLY_DELETES -> event.applyDeletesNanos = phaseNanos;
        case OPEN_READERS -> event.openReadersNanos = phaseNanos;
        case MERGE_WAIT -> event.mergeWaitNanos = phaseNanos;
        case WARM -> event.warmNanos = phaseNanos;
        case RELEASE -> event.releaseNanos = phaseNanos;
      }
    }

    @Override
    public void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {
      ReopenEvent event = current.remove(Thread.currentThread().threadId());
      if (event == null) {
        event = new ReopenEvent();
      }
      if (event.shouldCommit()) {
        event.index = index;
        event.result = name(result);
        event.totalNanos = totalNanos;
        event.latencyNanos = latencyNanos;
        event.commit();
      }
    }
  }

  @Name("io.weir.DirtyPages")
  @Label("Dirty Pages")
  @Description("Pages of the Linux page cache that are not on disk yet; -1 if unknown")
  @Category({"Weir", "Kernel"})
  @StackTrace(false)
  @Period("1 s")
  static final class DirtyEvent extends Event {

    @Label("Dirty")
    @DataAmount
    long dirtyBytes;

    @Label("Writeback")
    @Description("Being written to disk")
    @DataAmount
    long writebackBytes;

    @Label("Background Threshold")
    @Description("Threshold at which writeback starts")
    @DataAmount
    long backgroundThresholdBytes;

    @Label("Threshold")
    @Description("Threshold at which writers wait")
    @DataAmount
    long thresholdBytes;
  }

  @Name("io.weir.MergeStart")
  @Label("Merge Start")
  @Description("A merge begins")
  @Category({"Weir", "Merges"})
  @StackTrace(false)
  static final class MergeStartEvent extends Event {

    @Label("Index")
    String index;

    @Label("Merge")
    @Description("Number of the merge in its scheduler")
    long number;

    @Label("Kind")
    String kind;

    @Label("Estimated Size")
    @Description("Expected size of the merged segment; -1 if unknown")
    @DataAmount
    long estimatedBytes;
  }

  @Name("io.weir.RateChange")
  @Label("Change of Rate")
  @Description("The cap of a budget was set")
  @Category({"Weir", "Budget"})
  static final class RateEvent extends Event {

    @Label("Budget")
    String budget;

    @Label("Before")
    @Description("Bytes per second, unlimited or paused")
    String before;

    @Label("After")
    @Description("Bytes per second, unlimited or paused")
    String after;
  }

  @Name("io.weir.Reopen")
  @Label("Reopen")
  @Description("A reopen that has ended; unknown phases are 0")
  @Category({"Weir", "Reopens"})
  @StackTrace(false)
  static final class ReopenEvent extends Event {

    @Label("Index")
    String index;

    @Label("Result")
    String result;

    @Label("Latency")
    @Description("From the due time if it is known, otherwise from the call, to the end")
    @Timespan(Timespan.NANOSECONDS)
    long latencyNanos;

    @Label("Total")
    @Description("From the call to the end")
    @Timespan(Timespan.NANOSECONDS)
    long totalNanos;

    @Label("Lock Wait")
    @Timespan(Timespan.NANOSECONDS)
    long lockWaitNanos;

    @Label("Flush")
    @Timespan(Timespan.NANOSECONDS)
    long flushNanos;

    @Label("Apply Deletes")
    @Timespan(Timespan.NANOSECONDS)
    long applyDeletesNanos;

    @Label("Open Readers")
    @Timespan(Timespan.NANOSECONDS)
    long openReadersNanos;

    @Label("Merge Wait")
    @Timespan(Timespan.NANOSECONDS)
    long mergeWaitNanos;

    @Label("Warm")
    @Timespan(Timespan.NANOSECONDS)
    long warmNanos;

    @Label("Release")
    @Timespan(Timespan.NANOSECONDS)
    long releaseNanos;
  }

  @Name("io.weir.BudgetWait")
  @Label("Wait for the Budget")
  @Description("A thread waits until its bytes may pass")
  @Category({"Weir", "Budget"})
  @StackTrace(false)
  static final class WaitEvent extends Event {

    @Label("Budget")
    String budget;

    @Label("Requested")
    @DataAmount
    long requestedBytes;

    @Label("Granted")
    @Description("Bytes granted; 0 if the thread gave up")
    @DataAmount
    long grantedBytes;
  }
}
