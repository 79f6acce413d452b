package io.weir.control;

import io.weir.merge.MergeActivity;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenResult;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.time.Listeners;
import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * Sets the rate of a budget so that merges run as fast as they can while the latencies of reopens,
 * searches or other operations stay within their limits. It sets nothing else.
 *
 * <pre>{@code
 * LatencyGoal goal = LatencyGoal.hold(reopens, Percentile.P99, Duration.ofMillis(50), weir.scheduler());
 * Latencies searches = goal.hold("search", Percentile.P99, Duration.ofMillis(100));  // if wanted, as well
 * }</pre>
 *
 * <p>The rate lies between a floor and a ceiling. The floor is {@link GoalOptions}', or the rate
 * that keeps up with indexing where that is higher. The ceiling is the rate that the budget has
 * when the goal begins. A rate that somebody else sets later becomes the new ceiling, and the goal
 * leaves a paused budget paused. How the rate is found is described in {@code GoalPolicy} and in
 * {@code docs/internals/LATENCY-GOAL.md}; {@link #snapshot} says what was done in the last minute,
 * and why.
 *
 * <p>A limit that operations miss even at the floor is not held: merges are not the reason then, or
 * not the only one. {@link GoalReason#MISSED_AT_FLOOR} says so, and the rate stays at the floor.
 *
 * <p><b>Threads:</b> any may call every method; a daemon thread decides four times a second.
 * <b>Ownership:</b> close it before or after the monitor and the writer. A budget has at most one
 * goal, which holds any number of latencies. <b>Failure:</b> a fault of the goal is logged once;
 * the budget keeps its rate. {@link #close} gives the budget its ceiling back.
 */
public final class LatencyGoal implements AutoCloseable {

  static final long TICK_NANOS = 250_000_000;

  private static final long HISTORY_NANOS = 60_000_000_000L;
  private static final long LEAST_STANDSTILL_NANOS = 25_000_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final ByteBudget budget;
  private final List<MergeActivity> merges;
  private final NanoClock clock;
  private final TickThread thread;
  private final HeldRate rate;
  private final Listeners<GoalListener> listeners;
  private final List<LongSupplier> floors = new CopyOnWriteArrayList<>();
  private final List<Runnable> detach = new CopyOnWriteArrayList<>();

  private final GoalPolicy policy; // guarded by this, as all below
  private final List<Latencies> latencies = new ArrayList<>();
  private final Deque<GoalDecision> lastMinute = new ArrayDeque<>();
  private final Map<GoalReason, Long> decisions = new EnumMap<>(GoalReason.class);
  private BudgetSnapshot seen;
  private long seenNanos;
  private boolean closed;

  /**
   * Holds the latency of reopens, with the default options.
   *
   * @param limit from 1 ms to 1 h
   * @param scheduler the scheduler whose budget is set
   * @throws IllegalArgumentException if the limit is out of range
   * @throws IllegalStateException if something else sets the rate of this budget already
   */
  public static LatencyGoal hold(
      ReopenMonitor reopens,
      Percentile percentile,
      Duration limit,
      RateLimitedMergeScheduler scheduler) {
    Objects.requireNonNull(reopens, "reopens");
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(scheduler, "scheduler");
    LatencyGoal goal = new LatencyGoal(scheduler.budget(), List.of(scheduler), GoalOptions.DEFAULT);
    try {
      goal.hold(reopens, percentile, limit);
    } catch (RuntimeException e) {
      goal.close();
      throw e;
    }
    return goal;
  }

  /**
   * A goal that holds nothing yet, and leaves the budget alone until it does.
   *
   * @param budget whose rate is set
   * @param merges those of all writers that share the budget
   * @throws IllegalStateException if something else sets the rate of this budget already
   */
  public LatencyGoal(ByteBudget budget, List<? extends MergeActivity> merges, GoalOptions options) {
    this(
        budget,
        Objects.requireNonNull(merges, "merges"),
        Objects.requireNonNull(options, "options"),
        NanoClock.SYSTEM,
        TickThread.CLOSE_TIMEOUT);
  }

  LatencyGoal(
      ByteBudget budget,
      List<? extends MergeActivity> merges,
      GoalOptions options,
      NanoClock clock,
      Duration closeTimeout) {
    this.budget = Objects.requireNonNull(budget, "budget");
    this.merges = List.copyOf(merges);
    this.clock = clock;
    this.policy = new GoalPolicy(options, clock.nanoTime());
    this.thread = new TickThread("weir-latency-goal", TICK_NANOS, clock, closeTimeout, this::tick);
    this.rate = new HeldRate(budget, thread);
    this.listeners =
        new Listeners<>(thread.log(), "a listener of a latency goal failed; it is still called");
  }

  /**
   * Holds the latency of reopens as well: from the due time, where that is known. Failed and
   * skipped reopens do not count.
   *
   * @param limit from 1 ms to 1 h
   * @throws IllegalArgumentException if the limit is out of range, or the goal holds reopens
   *     already
   * @throws IllegalStateException if the goal is closed
   */
  public void hold(ReopenMonitor reopens, Percentile percentile, Duration limit) {
    Objects.requireNonNull(reopens, "reopens");
    Objects.requireNonNull(limit, "limit");
    Latencies all =
        hold(
            new LatencyTarget("reopen", percentile, limit),
            () -> reopens.running().map(Duration::toNanos).orElse(0L));
    ReopenListener listener =
        new ReopenListener() {
          @Override
          public void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {
            if (result != ReopenResult.FAILED && result != ReopenResult.SKIPPED) {
              all.record(latencyNanos);
            }
          }
        };
    reopens.addListener(listener);
    detach.add(() -> reopens.removeListener(listener));
  }

  /**
   * Holds a latency that the application reports.
   *
   * @param latency its name, for messages and meters
   * @param limit from 1 ms to 1 h
   * @return the object that takes the reports
   * @throws IllegalArgumentException if the limit is out of range, or the goal has a latency of
   *     that name
   * @throws IllegalStateException if the goal is closed
   */
  public Latencies hold(String latency, Percentile percentile, Duration limit) {
    Objects.requireNonNull(limit, "limit");
    return hold(new LatencyTarget(latency, percentile, limit), () -> 0);
  }

  private Latencies hold(LatencyTarget target, LongSupplier runningNanos) {
    Latencies added = new Latencies(target, clock, runningNanos);
    boolean first;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("a goal must be open to hold a latency: " + target);
      }
      if (latencies.stream().anyMatch(l -> l.target().latency().equals(target.latency()))) {
        throw new IllegalArgumentException("latencies must have different names: " + target);
      }
      first = latencies.isEmpty();
      latencies.add(added);
      policy.add(target);
      if (first) {
        rate.begin();
        seen = budget.snapshot();
        seenNanos = clock.nanoTime();
        policy.notSeen(seenNanos);
      }
    }
    if (first) {
      thread.start();
    }
    return added;
  }

  /**
   * Adds a floor, such as the rate that a {@link MergeDeadline} needs, until the goal is closed.
   * The highest floor counts.
   *
   * @param bytesPerSecond asked before each decision; 0 for none
   */
  public void keepAbove(LongSupplier bytesPerSecond) {
    floors.add(Objects.requireNonNull(bytesPerSecond, "bytesPerSecond"));
  }

  /** What it holds, what it saw and what it did. */
  public synchronized GoalSnapshot snapshot() {
    List<GoalSnapshot.Held> held = new ArrayList<>();
    for (int i = 0; i < latencies.size(); i++) {
      Latencies one = latencies.get(i);
      held.add(new GoalSnapshot.Held(one.target(), policy.tailNanos(i), one.count(), one.misses()));
    }
    return new GoalSnapshot(held, rate.own(), rate.ceiling(), decisions, List.copyOf(lastMinute));
  }

  /** The budget whose rate it sets. */
  public ByteBudget budget() {
    return budget;
  }

  /** Adds a listener. */
  public void addListener(GoalListener listener) {
    Objects.requireNonNull(listener, "listener");
    listeners.add(listener);
  }

  /** Removes a listener. */
  public void removeListener(GoalListener listener) {
    Objects.requireNonNull(listener, "listener");
    listeners.remove(listener);
  }

  /**
   * Ends the goal, and sets the budget to its ceiling. A paused budget stays paused. Waits at most
   * 10 s for a listener's call. An interrupt ends the wait and stays set. May be called more than
   * once.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    thread.close();
    rate.end();
    detach.forEach(Runnable::run);
  }

  /** For tests. */
  Thread thread() {
    return thread.thread();
  }

  private void tick(long nowNanos, long lateNanos) {
    List<KeepUpFloor.Need> needs = needs(); // without the lock: it takes some of others
    long floor = floor(needs);
    boolean forced = needs.stream().anyMatch(need -> need.forced().isPresent());
    Optional<GoalDecision> decision;
    Rate ceiling;
    synchronized (this) {
      if (closed) {
        return;
      }
      decision = decide(nowNanos, lateNanos, floor, forced);
      ceiling = rate.ceiling();
    }
    decision.ifPresentOrElse(made -> set(made, ceiling), rate::stayPaused);
    decision.ifPresent(made -> listeners.tell(listener -> listener.decided(made)));
  }

  private void set(GoalDecision decision, Rate ceiling) {
    rate.set(
        decision.afterBytesPerSecond() >= HeldRate.bytesPerSecond(ceiling)
            ? ceiling
            : Rate.perSecond(decision.afterBytesPerSecond()));
  }

  /** Decides; empty while the budget is paused. The caller has the lock. */
  private Optional<GoalDecision> decide(
      long nowNanos, long lateNanos, long floor, boolean forcedMergesRun) {
    BudgetSnapshot before = seen;
    long elapsedNanos = Math.max(1, nowNanos - seenNanos);
    seen = budget.snapshot();
    seenNanos = nowNanos;
    List<LatencySamples> samples = new ArrayList<>();
    long leastLimitNanos = Long.MAX_VALUE;
    for (Latencies one : latencies) {
      samples.add(one.take(policy.evidenceSinceNanos()));
      leastLimitNanos = Math.min(leastLimitNanos, one.target().limit().toNanos());
    }
    Optional<Rate> allowed = rate.allowed();
    if (allowed.isEmpty()) {
      policy.notSeen(nowNanos);
      return Optional.empty();
    }
    GoalDecision decision =
        policy.decide(
            new Sight(
                nowNanos,
                samples,
                Math.round(
                    (seen.grantedBytes() - before.grantedBytes())
                        * NANOS_PER_SECOND
                        / elapsedNanos),
                seen.waiting() > 0 || seen.delayedRequests() > before.delayedRequests(),
                forcedMergesRun,
                floor,
                HeldRate.bytesPerSecond(allowed.get()),
                lateNanos > Math.max(LEAST_STANDSTILL_NANOS, leastLimitNanos / 2)));
    remember(decision);
    return Optional.of(decision);
  }

  /** Somebody has set a rate; for tests. */
  void rateChanged(Rate before, Rate after) {
    rate.rateChanged(before, after);
  }

  private List<KeepUpFloor.Need> needs() {
    return merges.stream().map(m -> new KeepUpFloor.Need(m.debt(), m.forcedMerge())).toList();
  }

  private long floor(List<KeepUpFloor.Need> needs) {
    long highest = KeepUpFloor.bytesPerSecond(needs);
    for (LongSupplier other : floors) {
      highest = Math.max(highest, other.getAsLong());
    }
    return highest;
  }

  private void remember(GoalDecision decision) {
    lastMinute.addLast(decision);
    while (decision.atNanos() - lastMinute.peekFirst().atNanos() > HISTORY_NANOS) {
      lastMinute.removeFirst();
    }
    decisions.merge(decision.reason(), 1L, Long::sum);
  }
}
