package io.weir.stress.arm.load;

import io.weir.stress.arm.timeline.LatencyRecorder;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.LoadResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs one operation at the times of a {@link Schedule}, with a few threads, and keeps how long
 * each took from when it was due and from when it really began.
 *
 * <p>What is due and finds every thread busy begins late, and its wait counts; nothing is left out.
 * When the load ends, everything that was due before is still done, for at most {@link
 * Timeline#DRAIN_SECONDS}; what is not begun by then is kept with the wait it had until then, and
 * counted as abandoned.
 *
 * <p><b>Threads:</b> its own, from {@link #start} to {@link #finish}. <b>Failure:</b> the first
 * exception of the operation ends the load and is thrown by {@link #throwFailure}.
 */
public final class OpenLoop {

  /** One operation, told when it was due and when it began. */
  public interface Operation {
    void run(long dueNanos, long startedNanos) throws Exception;

    /** It was due, and the load ended before it could begin. */
    public default void abandoned(long dueNanos, long givenUpNanos) throws Exception {}
  }

  private final AskedRate rate;
  private final Schedule schedule;
  private final Timeline timeline;
  private final Operation operation;
  private final List<Thread> threads = new ArrayList<>();

  private final LatencyRecorder latency = new LatencyRecorder();
  private final LatencyRecorder service = new LatencyRecorder();
  private final AtomicLong finished = new AtomicLong();
  private final AtomicLongArray finishedIn = new AtomicLongArray(Phase.values().length);
  private final AtomicLong abandoned = new AtomicLong();
  private final AtomicLong recentMaxNanos = new AtomicLong(-1);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  public OpenLoop(AskedRate rate, Schedule schedule, Timeline timeline, Operation operation) {
    this.rate = rate;
    this.schedule = schedule;
    this.timeline = timeline;
    this.operation = operation;
  }

  /** Begins; with a rate of 0 there is nothing to begin. */
  public void start(int threadCount) {
    if (!rate.isAny()) {
      return;
    }
    for (int i = 0; i < threadCount; i++) {
      threads.add(Thread.ofPlatform().name("weir-" + rate.what() + "-" + i).start(this::work));
    }
  }

  /** Waits for the threads; the load must have been ended. */
  public void finish() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  void throwFailure() {
    Throwable t = failure.get();
    if (t != null) {
      throw new IllegalStateException(rate.what() + " failed: " + t, t);
    }
  }

  public AskedRate rate() {
    return rate;
  }

  public long finished() {
    return finished.get();
  }

  public long abandoned() {
    return abandoned.get();
  }

  /** The largest latency that finished since the last call; -1 when none did. */
  public long takeRecentMaxNanos() {
    return recentMaxNanos.getAndSet(-1);
  }

  public LatencyRecorder latency() {
    return latency;
  }

  public LatencyRecorder service() {
    return service;
  }

  /** What this load came to in each phase; null for a load that was not asked for. */
  public Phases<LoadResult> result(Phases<Double> phaseSeconds) {
    if (!rate.isAny()) {
      return null;
    }
    return Phases.each(
        phase -> {
          Double seconds = phaseSeconds.get(phase);
          return seconds == null
              ? null
              : new LoadResult(
                  rate.perSecond(),
                  seconds > 0
                      ? Math.round(1e4 * finishedIn.get(phase.ordinal()) / seconds) / 1e4
                      : 0,
                  latency.summary(phase),
                  service.summary(phase));
        });
  }

  private void work() {
    try {
      for (long due = schedule.nextNanos(); timeline.awaitDue(due); due = schedule.nextNanos()) {
        long started = timeline.nowNanos();
        if (started > timeline.drainEndNanos()) {
          operation.abandoned(due, started);
          abandoned.incrementAndGet();
          latency.record(timeline.phaseOf(due), started - due);
          continue;
        }
        operation.run(due, started);
        long ended = timeline.nowNanos();
        Phase phase = timeline.phaseOf(due);
        latency.record(phase, ended - due);
        service.record(phase, ended - started);
        recentMaxNanos.accumulateAndGet(ended - due, Math::max);
        finished.incrementAndGet();
        if (ended < timeline.endNanos()) { // what the drain does is not what the load kept up with
          finishedIn.incrementAndGet(timeline.phaseOf(ended).ordinal());
        }
      }
    } catch (Throwable t) {
      failure.compareAndSet(null, t);
      timeline.endAt(timeline.nowNanos());
    }
  }
}
