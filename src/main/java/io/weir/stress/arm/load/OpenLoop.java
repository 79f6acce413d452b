package io.weir.stress.arm.load;

import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.run.Work;
import io.weir.stress.arm.timeline.LatencyRecorder;
import io.weir.stress.arm.timeline.Timeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs one operation at the times of a {@link Schedule} on a few threads, and records how long each
 * took from its due time and from its real start.
 *
 * <p>An operation that is due while every thread is busy begins late, and its wait counts; none is
 * left out. After the end of the load, operations that were due before it still run, for at most
 * {@link Timeline#DRAIN_SECONDS}. Those that have not begun by then are recorded with their wait
 * and counted as abandoned. Where one call does a bulk of operations, its latency is that of the
 * bulk, and counts once.
 *
 * <p><b>Threads:</b> its own, from {@link #start} to {@link #finish}. <b>Failure:</b> the first
 * exception of the operation ends the load, and {@link #throwFailure} throws it.
 */
public final class OpenLoop {

  /** One operation of a load. */
  public interface Operation {
    void run(long dueNanos, long startedNanos) throws Exception;

    /** The operation was due, and the load ended before it could begin. */
    public default void abandoned(long dueNanos, long givenUpNanos) throws Exception {}
  }

  private final TargetRate rate;
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
  private final AtomicReference<Optional<Throwable>> failure =
      new AtomicReference<>(Optional.empty());

  public OpenLoop(TargetRate rate, Schedule schedule, Timeline timeline, Operation operation) {
    this.rate = rate;
    this.schedule = schedule;
    this.timeline = timeline;
    this.operation = operation;
  }

  /** Starts the threads; none with a rate of 0. */
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

  void throwFailure() throws IOException {
    if (failure.get().isPresent()) {
      Throwable cause = failure.get().get();
      throw new IOException(rate.what() + " failed: " + cause, cause);
    }
  }

  public TargetRate rate() {
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

  /** What this load achieved in each phase that has happened; nothing with a rate of 0. */
  public Values values(Work work) {
    Values.Builder values = Values.builder();
    for (Phase phase : Phase.MEASURED) {
      Optional<Timeline.Span> span = rate.isAny() ? timeline.span(phase) : Optional.empty();
      span.ifPresent(
          in ->
              values
                  .put(work.asked(), phase, asked(in))
                  .put(work.achieved(), phase, achieved(phase, in))
                  .put(work.latency(), phase, latency.summary(phase))
                  .put(work.service(), phase, service.summary(phase)));
    }
    return values.build();
  }

  private double asked(Timeline.Span span) {
    long firstNanos = timeline.firstNanos();
    return rate.perSecond(span.fromNanos() - firstNanos, span.toNanos() - firstNanos);
  }

  private double achieved(Phase phase, Timeline.Span span) {
    double seconds = span.seconds();
    return seconds > 0 ? Math.round(1e4 * finishedIn.get(phase.ordinal()) / seconds) / 1e4 : 0;
  }

  private void work() {
    try {
      for (long due = schedule.nextNanos(); timeline.awaitDue(due); due = schedule.nextNanos()) {
        long started = timeline.nowNanos();
        if (started > timeline.drainEndNanos()) {
          operation.abandoned(due, started);
          abandoned.addAndGet(rate.atOnce());
          latency.record(timeline.phaseOf(due), started - due);
          continue;
        }
        operation.run(due, started);
        long ended = timeline.nowNanos();
        Phase phase = timeline.phaseOf(due);
        latency.record(phase, ended - due);
        service.record(phase, ended - started);
        recentMaxNanos.accumulateAndGet(ended - due, Math::max);
        finished.addAndGet(rate.atOnce());
        if (ended < timeline.endNanos()) { // the rate is what the load achieved before its end
          finishedIn.addAndGet(timeline.phaseOf(ended).ordinal(), rate.atOnce());
        }
      }
    } catch (Throwable t) {
      failure.updateAndGet(first -> first.or(() -> Optional.of(t)));
      timeline.endAt(timeline.nowNanos());
    }
  }
}
