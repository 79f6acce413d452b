package io.weir.control;

import io.weir.control.OperationsSight.ChargedBytes;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.procfs.OperationCounters;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps the operations per second on a disk at or below a limit, reads and writes together: it sets
 * the rate of a budget so that merges use only what others leave over. It sets nothing else.
 *
 * <pre>{@code
 * OperationsCap volume = OperationsCap.hold(path, 3000, weir.scheduler());
 * volume.snapshot().describe();
 * }</pre>
 *
 * <p>The kernel counts the operations of a disk, and not those of a thread. So the rate is found by
 * measuring: down at once when there are more operations than the limit, up by steps when there are
 * fewer; {@code OperationsPolicy} and {@code docs/DISKS.md} describe it. A budget that counts reads
 * ({@link io.weir.rate.BudgetOptions.Counting#READS_AND_WRITES}) also paces merges that only read,
 * as while they verify their input.
 *
 * <p>The rate lies between a floor and a ceiling. The floor is the rate that keeps up with
 * indexing, and at least 64 KiB/s. The ceiling is the rate that the budget has when this begins. A
 * rate that somebody else sets later becomes the new ceiling, and a paused budget stays paused. A
 * limit that others exceed on their own is not held: the rate stays at the floor, and {@link
 * OperationsReason#OVER_AT_FLOOR} says so.
 *
 * <p><b>Units:</b> operations per second, as the kernel counts them (see {@link OperationsScope}).
 * <b>Threads:</b> any may call every method; a daemon thread decides ten times a second.
 * <b>Ownership:</b> close it before or after the writer. A budget has at most one cap on
 * operations, and no {@link LatencyGoal} besides; its parent or child may have. <b>Failure:</b> a
 * disk without counters is refused. If they vanish later, that is logged once, the rate stays as it
 * is or rises to the floor, and {@link OperationsReason#UNKNOWN} says so. {@link #close} gives the
 * budget its ceiling back.
 */
public final class OperationsCap implements AutoCloseable {

  /** The lowest limit: below it, a second has too few operations to measure. */
  public static final long LEAST_OPERATIONS_PER_SECOND = 10;

  /** The highest limit. */
  public static final long MOST_OPERATIONS_PER_SECOND = 100_000_000;

  static final long TICK_NANOS = 100_000_000;

  private final long limit;
  private final ByteBudget budget;
  private final List<MergeActivity> merges;
  private final OperationsCounter counter; // of the thread that decides
  private final TickThread thread;
  private final HeldRate rate;
  private final OperationsPolicy policy; // guarded by this, as all below
  private OperationsReason reason = OperationsReason.NO_MERGES;
  private BudgetSnapshot seen;
  private long writtenBytes; // by the merges so far
  private boolean closed;

  /**
   * Holds the limit for all operations on the disk of a path, whoever asks for them: {@link
   * OperationsScope#DEVICE}.
   *
   * @param path the path of the index; if it does not exist, its nearest existing parent counts
   * @param operationsPerSecond from {@link #LEAST_OPERATIONS_PER_SECOND} to {@link
   *     #MOST_OPERATIONS_PER_SECOND}
   * @param scheduler whose budget is set
   * @throws IOException if the operations there cannot be counted, with the reason
   * @throws IllegalStateException if something else sets the rate of this budget already
   */
  public static OperationsCap hold(
      Path path, long operationsPerSecond, RateLimitedMergeScheduler scheduler) throws IOException {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(scheduler, "scheduler");
    return hold(
        path, operationsPerSecond, OperationsScope.DEVICE, scheduler.budget(), List.of(scheduler));
  }

  /**
   * Holds the limit in one scope, for any number of indexes on the disk.
   *
   * @param path the path of an index; if it does not exist, its nearest existing parent counts
   * @param operationsPerSecond as above
   * @param scope whose operations count
   * @param budget whose rate is set
   * @param merges those of all writers that share the budget
   * @throws IOException if the operations there cannot be counted in this scope, with the reason
   * @throws IllegalStateException if something else sets the rate of this budget already
   */
  public static OperationsCap hold(
      Path path,
      long operationsPerSecond,
      OperationsScope scope,
      ByteBudget budget,
      List<? extends MergeActivity> merges)
      throws IOException {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(merges, "merges");
    requireInRange(operationsPerSecond);
    return begin(
        OperationsCounter.of(path, scope, Procfs.SYSTEM),
        operationsPerSecond,
        budget,
        merges,
        NanoClock.SYSTEM);
  }

  static OperationsCap begin(
      OperationsCounter counter,
      long operationsPerSecond,
      ByteBudget budget,
      List<? extends MergeActivity> merges,
      NanoClock clock) {
    OperationsCap cap = new OperationsCap(counter, operationsPerSecond, budget, merges, clock);
    try {
      cap.rate.begin();
      cap.thread.start();
    } catch (Throwable failure) {
      cap.rate.end();
      throw failure;
    }
    return cap;
  }

  private OperationsCap(
      OperationsCounter counter,
      long operationsPerSecond,
      ByteBudget budget,
      List<? extends MergeActivity> merges,
      NanoClock clock) {
    this.limit = operationsPerSecond;
    this.counter = counter;
    this.budget = Objects.requireNonNull(budget, "budget");
    this.merges = List.copyOf(merges);
    this.policy = new OperationsPolicy(operationsPerSecond, clock.nanoTime());
    this.seen = budget.snapshot();
    this.writtenBytes = writtenBytes();
    this.thread =
        new TickThread("weir-operations-cap", TICK_NANOS, clock, (now, lateNanos) -> tick(now));
    this.rate = new HeldRate(budget, thread);
  }

  private static void requireInRange(long operationsPerSecond) {
    if (operationsPerSecond < LEAST_OPERATIONS_PER_SECOND
        || operationsPerSecond > MOST_OPERATIONS_PER_SECOND) {
      throw new IllegalArgumentException(
          "operationsPerSecond must be from "
              + LEAST_OPERATIONS_PER_SECOND
              + " to "
              + MOST_OPERATIONS_PER_SECOND
              + " operations/s: "
              + operationsPerSecond);
    }
  }

  /** What it sees and does, as of the last tenth of a second. */
  public synchronized OperationsSnapshot snapshot() {
    return new OperationsSnapshot(
        counter.device(),
        counter.scope(),
        limit,
        policy.measuredPerSecond(),
        rate.own(),
        rate.ceiling(),
        reason);
  }

  /** The budget whose rate it sets. */
  public ByteBudget budget() {
    return budget;
  }

  /**
   * Ends the cap on operations, and sets the budget to its ceiling. A paused budget stays paused.
   * Waits at most 10 s for a listener of the budget. An interrupt ends the wait and stays set. May
   * be called more than once.
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
  }

  /** For tests. */
  Thread thread() {
    return thread.thread();
  }

  private void tick(long nowNanos) {
    Optional<OperationCounters> operations = counter.sinceLast();
    List<KeepUpFloor.Need> needs = // without the lock: it takes some of others
        merges.stream().map(m -> new KeepUpFloor.Need(m.debt(), m.forcedMerge())).toList();
    Optional<Rate> next;
    synchronized (this) {
      if (closed) {
        return;
      }
      next = decide(nowNanos, operations, needs);
    }
    next.ifPresentOrElse(rate::set, rate::stayPaused);
    if (operations.isEmpty()) {
      thread.log().log(
          Level.WARNING,
          "operations on %s (%s) cannot be counted for now; merges keep their rate"
              .formatted(counter.device(), counter.scope().text()));
    }
  }

  /** Decides on the rate; empty while the budget is paused. The caller has the lock. */
  private Optional<Rate> decide(
      long nowNanos, Optional<OperationCounters> operations, List<KeepUpFloor.Need> needs) {
    BudgetSnapshot before = seen;
    seen = budget.snapshot();
    ChargedBytes used = used(seen.grantedBytes() - before.grantedBytes());
    Optional<Rate> allowed = rate.allowed();
    if (allowed.isEmpty()) {
      policy.paused(nowNanos, operations);
      reason = OperationsReason.PAUSED;
      return Optional.empty();
    }
    long ceiling = HeldRate.bytesPerSecond(allowed.get());
    OperationsDecision decision =
        policy.decide(
            new OperationsSight(
                nowNanos,
                operations,
                used,
                seen.waiting() > 0 || seen.delayedRequests() > before.delayedRequests(),
                needs.stream().anyMatch(need -> need.debt().runningMerges() > 0),
                KeepUpFloor.bytesPerSecond(needs),
                ceiling));
    reason = decision.reason();
    return Optional.of(
        decision.bytesPerSecond() >= ceiling
            ? allowed.get()
            : Rate.perSecond(decision.bytesPerSecond()));
  }

  /** What merges did not write of their bytes, they had read. The caller has the lock. */
  private ChargedBytes used(long grantedBytes) {
    long before = writtenBytes;
    writtenBytes = writtenBytes();
    long written = Math.clamp(writtenBytes - before, 0, grantedBytes);
    return new ChargedBytes(grantedBytes - written, written);
  }

  private long writtenBytes() {
    return merges.stream()
        .flatMap(m -> Arrays.stream(MergeKind.values()).map(m::totals))
        .mapToLong(MergeKindTotals::writtenBytes)
        .sum();
  }
}
