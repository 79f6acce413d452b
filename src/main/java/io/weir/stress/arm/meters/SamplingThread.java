package io.weir.stress.arm.meters;

import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.stress.arm.logs.HistogramLog;
import io.weir.stress.arm.timeline.Timeline;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.util.IORunnable;

/**
 * The thread that samples ten times a second while an arm runs. Every second it also writes an
 * interval of each histogram log and calls back.
 *
 * <p>A late sample is taken late, and the next ones keep their times. Samples whose time has passed
 * are skipped, because a second sample of the same moment would show nothing.
 *
 * <p><b>Failure:</b> an exception ends the arm, and {@link #finish} throws it.
 */
public final class SamplingThread {

  private static final long LOOK_EVERY_NANOS = 100_000_000;
  private static final long LOOKS_A_SECOND = 10;

  /** The threads that only measure: those that sample, detect hiccups and take stacks. */
  private static final Set<String> MEASURING =
      Set.of("weir-watch", "weir-hiccups", "weir-slow-reopens");

  private final Timeline timeline;
  private final IORunnable sampler;
  private final List<HistogramLog> logs;
  private final Runnable everySecond;
  private volatile Optional<Throwable> failure = Optional.empty();
  private final Thread thread;
  private volatile boolean finished;
  private Values cost = Values.NONE;

  // Of the watching thread until it has ended.
  private long samples;
  private long missedSamples;
  private long longestGapNanos;

  /**
   * @param sampler called ten times a second
   */
  public SamplingThread(
      Timeline timeline, IORunnable sampler, List<HistogramLog> logs, Runnable everySecond) {
    this.timeline = timeline;
    this.sampler = sampler;
    this.logs = List.copyOf(logs);
    this.everySecond = everySecond;
    this.thread = Thread.ofPlatform().name("weir-watch").start(this::watch);
  }

  /** What was seen and missed; after {@link #finish}. */
  public Values values() {
    return Values.builder()
        .put(ArmFigures.SAMPLES, samples)
        .put(ArmFigures.MISSED_SAMPLES, missedSamples)
        .put(ArmFigures.LONGEST_GAP, longestGapNanos / 1e6)
        .build();
  }

  /** What measuring cost, where the JVM reports it; after {@link #finish}. */
  public Values cost() {
    return cost;
  }

  /** Takes the last look, after everything else has ended. */
  public void finish() throws Exception {
    cost = costOf(timeline.nowNanos() - timeline.firstNanos()); // while its thread is there
    finished = true;
    thread.join();
    if (failure.isPresent()) {
      throw new IOException("sampling failed: " + failure.get(), failure.get());
    }
    sampler.run();
    writeLogs();
  }

  private void watch() {
    try {
      long lastNanos = timeline.firstNanos();
      for (long look = 0; !finished; look++) {
        if (!timeline.awaitDue(timeline.firstNanos() + look * LOOK_EVERY_NANOS)) {
          return;
        }
        long nowNanos = timeline.nowNanos();
        if (measures(nowNanos)) {
          longestGapNanos = Math.max(longestGapNanos, nowNanos - lastNanos);
          samples++;
        }
        lastNanos = nowNanos;
        sampler.run();
        if (look % LOOKS_A_SECOND == LOOKS_A_SECOND - 1) {
          writeLogs();
          everySecond.run();
        }
        long passed = (timeline.nowNanos() - timeline.firstNanos()) / LOOK_EVERY_NANOS;
        missedSamples += measures(timeline.nowNanos()) ? Math.max(0, passed - look) : 0;
        look = Math.max(look, passed);
      }
    } catch (Throwable t) {
      failure = Optional.of(t);
      timeline.endAt(timeline.nowNanos());
    }
  }

  private void writeLogs() throws IOException {
    for (HistogramLog log : logs) {
      log.write(timeline);
    }
  }

  /** A sample that the warm-up misses is missing from no figure. */
  private boolean measures(long nanos) {
    return nanos >= timeline.warmupEndNanos();
  }

  /**
   * Processor time of the threads that only measure, since they started {@code nanos} ago; nothing
   * where the JVM does not report it. What the threads of the load do to measure (read the clock,
   * write a line) is not included.
   */
  private static Values costOf(long nanos) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (!threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
      return Values.NONE;
    }
    long cpuNanos = 0;
    for (long id : threads.getAllThreadIds()) {
      if (Optional.ofNullable(threads.getThreadInfo(id))
          .map(ThreadInfo::getThreadName)
          .filter(MEASURING::contains)
          .isPresent()) {
        cpuNanos += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return Values.builder()
        .put(ArmFigures.INSTRUMENT_CPU, Math.round(cpuNanos / 1e3) / 1e6)
        .put(
            ArmFigures.INSTRUMENT_CPU_PERCENT,
            nanos <= 0 ? Optional.empty() : Optional.of(Math.round(1e4 * cpuNanos / nanos) / 1e2))
        .build();
  }
}
