package io.weir.load.client;

import io.weir.run.StepFigures;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes each request of an arm to a compressed CSV file, and a histogram of each step to an
 * interval log. A step is written after its end, so writing disturbs no request.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> closes its files.
 */
final class RequestLog implements Closeable {

  private static final String COLUMNS =
      "arm,round,step,load,due_nanos,sent_nanos,done_nanos,status,set_aside\n";

  private final ClientMain.Task task;
  private final Writer lines;
  private final PrintStream out;
  private final HistogramLogWriter log;
  private final long zeroMillis = System.currentTimeMillis();
  private final long zeroNanos;

  RequestLog(ClientMain.Task task, NanoClock clock) throws IOException {
    this.task = task;
    this.zeroNanos = clock.nanoTime();
    this.lines =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(task.requests()), 1 << 16, true),
            StandardCharsets.UTF_8);
    this.out =
        new PrintStream(Files.newOutputStream(task.histograms()), false, StandardCharsets.UTF_8);
    this.log = new HistogramLogWriter(out);
    log.outputComment("[Weir: response times from the intended start, in nanoseconds, by step]");
    log.outputLogFormatVersion();
    log.outputStartTime(zeroMillis);
    log.setBaseTime(zeroMillis);
    log.outputLegend();
    lines.write(COLUMNS);
  }

  void add(ClientMain.Step step, OpenLoopClient.Step seen) throws IOException {
    String lead =
        "\"%s\",%d,%d,%s,"
            .formatted(
                task.arm().replace("\"", "\"\""), task.round(), step.number(), step.perSecond());
    Requests requests = seen.requests();
    for (int i = 0; i < seen.view().require(StepFigures.DUE); i++) {
      lines.write(
          lead
              + requests.dueNanos(i)
              + ','
              + requests.sentNanos(i)
              + ','
              + requests.doneNanos(i)
              + ','
              + requests.status(i)
              + ','
              + (seen.setAside()[i] ? 1 : 0)
              + '\n');
    }
    lines.flush();
    Histogram histogram = Latencies.histogram(seen.latencies());
    histogram.setTag(Integer.toString(step.number()));
    long startMillis = zeroMillis + (seen.startNanos() - zeroNanos) / 1_000_000;
    histogram.setStartTimeStamp(startMillis);
    histogram.setEndTimeStamp(
        startMillis + Math.round(1e3 * seen.view().require(StepFigures.SECONDS)));
    log.outputIntervalHistogram(histogram);
    if (out.checkError()) {
      throw new IOException("the histogram log cannot be written: " + task.histograms());
    }
  }

  @Override
  public void close() throws IOException {
    try (lines) {
      out.close();
    }
  }
}
