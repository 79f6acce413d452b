package io.weir.stress.arm.meters;

import io.weir.stress.arm.timeline.LatencyRecorder;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.InstrumentResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.RunFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * The thread that looks ten times a second while an arm runs: it samples, writes an interval of
 * each histogram log every second, and calls back every second for whoever shows progress.
 *
 * <p>A look that comes late is taken late and the next ones keep their times; looks whose time has
 * passed are skipped, because a second look at the same moment would show nothing.
 *
 * <p><b>Failure:</b> an exception ends the arm and is thrown by {@link #finish}.
 */
public final class Watch {

  private static final long LOOK_EVERY_NANOS = 100_000_000;
  private static final long LOOKS_A_SECOND = 10;

  private final Timeline timeline;
  private final Sampler sampler;
  private final HistogramLog reopens;
  private final HistogramLog searches;
  private final Runnable everySecond;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Thread thread;
  private volatile boolean finished;

  // Of the watching thread until it has ended.
  private long samples;
  private long missedSamples;
  private long longestGapNanos;

  public Watch(
      Timeline timeline,
      Sampler sampler,
      HistogramLog reopens,
      HistogramLog searches,
      Runnable everySecond) {
    this.timeline = timeline;
    this.sampler = sampler;
    this.reopens = reopens;
    this.searches = searches;
    this.everySecond = everySecond;
    this.thread = Thread.ofPlatform().name("weir-watch").start(this::watch);
  }

  /** What was seen and missed, with what it cost; after {@link #finish}. */
  public InstrumentResult result(InstrumentCost cost) {
    return new InstrumentResult(
        cost.cpuSeconds(), cost.cpuPercent(), samples, missedSamples, longestGapNanos / 1e6);
  }

  /** Takes the last look, after everything else has ended. */
  public void finish() throws Exception {
    finished = true;
    thread.join();
    if (failure.get() != null) {
      throw new IOException("sampling failed: " + failure.get(), failure.get());
    }
    sampler.sample();
    reopens.write(timeline);
    searches.write(timeline);
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
        sampler.sample();
        if (look % LOOKS_A_SECOND == LOOKS_A_SECOND - 1) {
          reopens.write(timeline);
          searches.write(timeline);
          everySecond.run();
        }
        long passed = (timeline.nowNanos() - timeline.firstNanos()) / LOOK_EVERY_NANOS;
        missedSamples += measures(timeline.nowNanos()) ? Math.max(0, passed - look) : 0;
        look = Math.max(look, passed);
      }
    } catch (Throwable t) {
      failure.set(t);
      timeline.endAt(timeline.nowNanos());
    }
  }

  /** What the warm-up misses is missed by no figure. */
  private boolean measures(long nanos) {
    return nanos >= timeline.warmupEndNanos();
  }

  /**
   * One interval log in HdrHistogram's own format. An interval has a line for each phase that
   * something finished in it was due in, tagged with that phase; so the lines of a phase together
   * are what {@code run.json} sums up. One in which nothing finished has an empty line.
   */
  public static final class HistogramLog implements AutoCloseable {

    private final LatencyRecorder recorder;
    private final Path file;
    private final PrintStream out;
    private final HistogramLogWriter log;
    private final long zeroMillis = System.currentTimeMillis();
    private long writtenUntilMillis = zeroMillis;

    public HistogramLog(LatencyRecorder recorder, Path file, String what) throws IOException {
      this.recorder = recorder;
      this.file = file;
      this.out = new PrintStream(Files.newOutputStream(file), false, "UTF-8");
      this.log = new HistogramLogWriter(out);
      log.outputComment(
          "[Weir: %s latency from the intended start, in nanoseconds, %s]"
              .formatted(what, RunFiles.BY_DUE_PHASE));
      log.outputLogFormatVersion();
      log.outputStartTime(zeroMillis);
      log.setBaseTime(zeroMillis);
      log.outputLegend();
    }

    private synchronized void write(Timeline timeline) throws IOException {
      Map<Phase, Histogram> intervals = recorder.takeIntervals();
      if (intervals.isEmpty()) {
        Phase now = timeline.phaseOf(Math.min(timeline.nowNanos(), timeline.endNanos() - 1));
        intervals.put(now, new Histogram(1));
      }
      long fromMillis = writtenUntilMillis;
      writtenUntilMillis = zeroMillis + (timeline.nowNanos() - timeline.firstNanos()) / 1_000_000;
      intervals.forEach(
          (phase, interval) -> {
            interval.setTag(phase.label());
            interval.setStartTimeStamp(fromMillis);
            interval.setEndTimeStamp(writtenUntilMillis);
            log.outputIntervalHistogram(interval);
          });
      if (out.checkError()) { // flushes, and is all that this kind of stream tells
        throw new IOException("the histogram log cannot be written: " + file);
      }
    }

    @Override
    public void close() {
      out.close();
    }
  }
}
