package io.weir.control;

import io.weir.control.LatencySamples.LatencyBuckets;
import io.weir.time.NanoClock;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * One latency that a {@link LatencyGoal} holds. The application reports each operation here when it
 * has ended, or when it begins and ends.
 *
 * <pre>{@code
 * Latencies searches = goal.hold("search", Percentile.P99, Duration.ofMillis(100));
 * try (Latencies.Running search = searches.begin()) { ... }   // or searches.record(nanos) after it
 * }</pre>
 *
 * <p>{@link #begin} is better: an operation that hangs then counts while it hangs. The goal takes
 * an absence of reports for an absence of operations.
 *
 * <p><b>Units:</b> nanoseconds. <b>Threads:</b> any; a report takes a short lock. <b>Failure:</b> a
 * negative latency is ignored. Nothing is thrown.
 */
public final class Latencies {

  /** An operation in progress. */
  public final class Running implements AutoCloseable {

    private final long begunNanos;

    private Running(long begunNanos) {
      this.begunNanos = begunNanos;
    }

    /** Reports the end of the operation; the first call counts. */
    @Override
    public void close() {
      if (running.remove(this)) {
        record(clock.nanoTime() - begunNanos);
      }
    }
  }

  private final LatencyTarget target;
  private final long limitNanos;
  private final NanoClock clock;
  private final LongSupplier runningNanos;
  private final Set<Running> running = ConcurrentHashMap.newKeySet();
  private long evidenceSinceNanos; // guarded by this, as all below
  private int[] buckets = new int[LatencyBuckets.COUNT];
  private long count;
  private long misses;
  private long near;
  private long low;
  private long maxNanos;
  private long formerMisses;
  private long allCount;
  private long allMisses;

  /**
   * Without samples.
   *
   * @param runningNanos for how long an operation that is not begun here has been running; 0 for
   *     none
   */
  Latencies(LatencyTarget target, NanoClock clock, LongSupplier runningNanos) {
    this.target = Objects.requireNonNull(target, "target");
    this.limitNanos = target.limit().toNanos();
    this.clock = clock;
    this.runningNanos = runningNanos;
    this.evidenceSinceNanos = clock.nanoTime();
  }

  /** What is held. */
  public LatencyTarget target() {
    return target;
  }

  /** An operation ended now that took this long. */
  public void record(long latencyNanos) {
    if (latencyNanos < 0) {
      return;
    }
    long begunNanos = clock.nanoTime() - latencyNanos;
    synchronized (this) {
      allCount++;
      if (latencyNanos > limitNanos) {
        allMisses++;
      }
      if (begunNanos - evidenceSinceNanos < 0) {
        formerMisses += latencyNanos > limitNanos ? 1 : 0;
        return; // it says more about the rate before
      }
      count++;
      buckets[LatencyBuckets.of(latencyNanos)]++;
      maxNanos = Math.max(maxNanos, latencyNanos);
      if (latencyNanos <= limitNanos * LatencySamples.LOW) {
        low++;
      }
      if (latencyNanos > limitNanos / 2) {
        near++;
        if (latencyNanos > limitNanos) {
          misses++;
        }
      }
    }
  }

  /** An operation begins; close the result when it ends. */
  public Running begin() {
    return begin(clock.nanoTime());
  }

  /**
   * The same, for an operation that was due before: its latency counts from then.
   *
   * @param dueNanos when it should have begun, as {@link System#nanoTime} has it
   */
  public Running begin(long dueNanos) {
    Running begun = new Running(dueNanos);
    running.add(begun);
    return begun;
  }

  /** The number of operations so far. */
  public synchronized long count() {
    return allCount;
  }

  /** The number of operations so far that took longer than the limit. */
  public synchronized long misses() {
    return allMisses;
  }

  /**
   * The operations since the last call.
   *
   * @param sinceNanos the ones that begin before are to be left out from now on
   */
  LatencySamples take(long sinceNanos) {
    long nowNanos = clock.nanoTime();
    long longestNanos = runningNanos.getAsLong();
    for (Running one : running) {
      longestNanos = Math.max(longestNanos, nowNanos - one.begunNanos);
    }
    synchronized (this) {
      evidenceSinceNanos = sinceNanos;
      LatencySamples taken =
          new LatencySamples(
              count,
              misses,
              near,
              low,
              maxNanos,
              Math.clamp(longestNanos, 0, Math.max(0, nowNanos - sinceNanos)),
              buckets,
              formerMisses);
      buckets = new int[LatencyBuckets.COUNT];
      count = 0;
      misses = 0;
      near = 0;
      low = 0;
      maxNanos = 0;
      formerMisses = 0;
      return taken;
    }
  }
}
