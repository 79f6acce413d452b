package io.weir.stress.arm.logs;

import io.weir.run.Phase;
import io.weir.stress.arm.timeline.LatencyRecorder;
import io.weir.stress.arm.timeline.Timeline;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * An interval log of latencies in HdrHistogram's own format. An interval has one line for each
 * phase in which its operations were due, tagged with that phase, so the lines of a phase together
 * are what {@code run.json} sums up. An interval in which nothing finished has an empty line.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> closes its file. <b>Failure:</b> {@link #write} throws
 * when the file cannot be written.
 */
public final class HistogramLog implements AutoCloseable {

  private final LatencyRecorder recorder;
  private final Path file;
  private final PrintStream out;
  private final HistogramLogWriter log;
  private final long zeroMillis = System.currentTimeMillis();
  private long writtenUntilMillis = zeroMillis; // guarded by this

  /**
   * Writes the head of the log.
   *
   * @param what the operation, for the head: {@code reopen}
   */
  public HistogramLog(LatencyRecorder recorder, Path file, String what) throws IOException {
    this.recorder = recorder;
    this.file = file;
    this.out = new PrintStream(Files.newOutputStream(file), false, "UTF-8");
    this.log = new HistogramLogWriter(out);
    log.outputComment(
        "[Weir: %s latency from the intended start, in nanoseconds, by the phase it was due in]"
            .formatted(what));
    log.outputLogFormatVersion();
    log.outputStartTime(zeroMillis);
    log.setBaseTime(zeroMillis);
    log.outputLegend();
  }

  /** Writes the interval from the last call until now. */
  public synchronized void write(Timeline timeline) throws IOException {
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
    if (out.checkError()) { // flushes; this kind of stream reports no more than that it failed
      throw new IOException("the histogram log cannot be written: " + file);
    }
  }

  @Override
  public void close() {
    out.close();
  }
}
