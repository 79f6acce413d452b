package io.weir.control;

import io.weir.control.DeadlinePolicy.Progress;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeListener;
import io.weir.merge.MergeTotals;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.Rate;
import io.weir.time.NanoClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Paces forced merges so that they finish by a deadline: it spreads what they still have to write
 * over the time that is left. It sets the rate of forced merges. While the deadline is at risk,
 * they do not yield either.
 *
 * <pre>{@code
 * try (MergeDeadline night = MergeDeadline.by(sixOClock, weir.scheduler())) {
 *   writer.forceMerge(1);       // meanwhile: night.snapshot().describe()
 * }
 * }</pre>
 *
 * <p>The cap of the budget holds too. If it is lower than the deadline needs, merges will be late,
 * and {@link #snapshot} says so. To keep a {@link LatencyGoal} on the budget from going below the
 * needed rate, call {@code goal.keepAbove(night::neededBytesPerSecond)}.
 *
 * <p>The merges of one {@code forceMerge} call may come in rounds; the plan knows those that run.
 *
 * <p><b>Threads:</b> any may call every method; a daemon thread looks twice a second.
 * <b>Ownership:</b> a scheduler has at most one deadline. Close it when the merges are done; forced
 * merges then have no rate of their own, and yield (what {@link
 * RateLimitedMergeScheduler#setForcedMergeBytesPerSecond} and {@link
 * RateLimitedMergeScheduler#setYields} have set is lost). <b>Failure:</b> after a fault, which is
 * logged once, forced merges run at the last rate.
 */
public final class MergeDeadline implements AutoCloseable {

  static final long TICK_NANOS = 500_000_000;

  /** A merge reads more than it writes at first; over the whole it does not read three times. */
  private static final double MOST_CHARGED = 4;

  private static final Duration MOST_TIME = Duration.ofDays(365);

  private static final Set<RateLimitedMergeScheduler> HELD = ConcurrentHashMap.newKeySet();

  private final RateLimitedMergeScheduler scheduler;
  private final TickThread thread;
  private final MergeListener begun;
  private final DeadlinePolicy policy; // guarded by this, as all below
  private DeadlineSnapshot last;
  private double chargedPerWritten = 1; // more where the budget counts reads too
  private Rate set;
  private long pauses;
  private boolean closed;

  /**
   * Paces the forced merges of {@code scheduler} so that they finish by {@code deadline}.
   *
   * @throws IllegalArgumentException if it has passed, or is more than a year ahead
   * @throws IllegalStateException if the scheduler has a deadline that is not closed
   */
  public static MergeDeadline by(Instant deadline, RateLimitedMergeScheduler scheduler) {
    Objects.requireNonNull(deadline, "deadline");
    Objects.requireNonNull(scheduler, "scheduler");
    return within(Duration.between(Instant.now(), deadline), scheduler);
  }

  /** The same, with the time from now until the deadline. */
  public static MergeDeadline within(Duration time, RateLimitedMergeScheduler scheduler) {
    Objects.requireNonNull(time, "time");
    return new MergeDeadline(time, scheduler, NanoClock.SYSTEM);
  }

  MergeDeadline(Duration time, RateLimitedMergeScheduler scheduler, NanoClock clock) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("the deadline must not have passed: " + time);
    }
    if (time.compareTo(MOST_TIME) > 0) {
      throw new IllegalArgumentException(
          "the deadline must be at most " + MOST_TIME.toDays() + " days ahead: " + time);
    }
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
    long nowNanos = clock.nanoTime();
    this.policy = new DeadlinePolicy(nowNanos + time.toNanos());
    this.last = policy.decide(nowNanos, Optional.empty());
    this.set = last.rate();
    this.thread =
        new TickThread("weir-merge-deadline", TICK_NANOS, clock, (now, lateNanos) -> look(now));
    this.begun =
        new MergeListener() {
          @Override
          public void mergeStarted(MergeTotals merge) {
            thread.tickNow();
          }
        };
    if (!HELD.add(scheduler)) {
      throw new IllegalStateException(
          "a scheduler must have one deadline; close the other one first: " + scheduler);
    }
    try {
      thread.start(); // first: without it, nothing would ever change the rate
    } catch (Throwable failure) {
      HELD.remove(scheduler);
      throw failure;
    }
    synchronized (this) {
      scheduler.setRate(MergeKind.FORCED, set);
      scheduler.setYields(MergeKind.FORCED, !policy.isAtRisk());
    }
    scheduler.addListener(begun);
  }

  /** Whether the deadline holds; as of the last half second. */
  public synchronized DeadlineSnapshot snapshot() {
    return last;
  }

  /**
   * The rate that the deadline needs now, in bytes per second: 0 while no forced merge runs and
   * after the close, {@link Rate#MAX_BYTES_PER_SECOND} once the deadline has passed.
   */
  public synchronized long neededBytesPerSecond() {
    if (closed || last.outlook() == DeadlineSnapshot.Outlook.NO_MERGE) {
      return 0;
    }
    return set.isLimited() ? set.bytesPerSecond() : Rate.MAX_BYTES_PER_SECOND;
  }

  /** Lets forced merges run without a rate of their own. May be called more than once. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      scheduler.setRate(MergeKind.FORCED, Rate.UNLIMITED);
      scheduler.setYields(MergeKind.FORCED, true);
    }
    HELD.remove(scheduler);
    scheduler.removeListener(begun);
    thread.close();
  }

  private void look(long nowNanos) {
    Optional<Progress> progress = progress();
    synchronized (this) {
      if (closed) {
        return;
      }
      last = policy.decide(nowNanos, progress);
      scheduler.setYields(MergeKind.FORCED, !policy.isAtRisk());
      Rate rate = charged(last.rate());
      if (!rate.equals(set)) {
        set = rate;
        scheduler.setRate(MergeKind.FORCED, rate); // calls nothing back
      }
    }
  }

  private Optional<Progress> progress() {
    List<MergeTotals> forced =
        scheduler.running().stream().filter(merge -> merge.kind() == MergeKind.FORCED).toList();
    long nowPaused = scheduler.totals(MergeKind.FORCED).pauses().count();
    long writtenBytes = forced.stream().mapToLong(MergeTotals::writtenBytes).sum();
    long readBytes = forced.stream().mapToLong(merge -> merge.readBytes().orElse(0)).sum();
    boolean delayed;
    synchronized (this) {
      if (writtenBytes > 0) {
        chargedPerWritten =
            Math.min(MOST_CHARGED, (double) (writtenBytes + readBytes) / writtenBytes);
      }
      delayed = nowPaused > pauses;
      pauses = nowPaused;
    }
    return scheduler
        .forcedMerge()
        .filter(merges -> merges.estimatedBytes().isPresent())
        .map(
            merges ->
                new Progress(
                    merges.doneBytes(),
                    merges.estimatedBytes().getAsLong(),
                    Math.round(
                        merges.estimatedBytes().getAsLong() * (1 - merges.fraction().orElse(1))),
                    writtenBytes,
                    delayed));
  }

  /** The policy plans writes; where reads count too, the rate must have room for them. */
  private Rate charged(Rate ofWrites) {
    return ofWrites.isLimited()
        ? Rate.perSecond(
            Math.clamp(
                Math.round(ofWrites.bytesPerSecond() * chargedPerWritten),
                Rate.MIN_BYTES_PER_SECOND,
                Rate.MAX_BYTES_PER_SECOND))
        : ofWrites;
  }
}
