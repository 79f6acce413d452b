package io.weir.report;

import io.weir.run.Phase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** A histogram log of one interval, with a line a phase, as a run leaves it. */
public final class SampleLog {

  private final Map<Phase, Histogram> phases = new EnumMap<>(Phase.class);

  public SampleLog record(Phase phase, long nanos) {
    phases.computeIfAbsent(phase, unused -> new Histogram(3)).recordValue(nanos);
    return this;
  }

  public void write(Path file) throws IOException {
    try (PrintStream out = new PrintStream(Files.newOutputStream(file), false, "UTF-8")) {
      HistogramLogWriter log = new HistogramLogWriter(out);
      log.outputComment("[Weir: latency]");
      log.outputLogFormatVersion();
      log.outputLegend();
      phases.forEach(
          (phase, histogram) -> {
            histogram.setTag(phase.label());
            log.outputIntervalHistogram(histogram);
          });
    }
  }
}
