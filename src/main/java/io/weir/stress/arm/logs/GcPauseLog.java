package io.weir.stress.arm.logs;

import io.weir.stress.arm.timeline.LatencyTally;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.GcPauses;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.util.EnumMap;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes a line about each pause of the collector while the load ran, and adds them up by the phase
 * in which they began.
 *
 * <p><b>Threads:</b> one at a time. <b>Ownership:</b> closes the writer.
 */
public final class GcPauseLog implements Closeable {

  static final String[] COLUMNS = {
    "arm", "round", "phase", "start_nanos", "duration_nanos", "collector", "name", "cause"
  };

  private static final class Tally {
    private final LatencyTally durations = new LatencyTally();
    private long nanos;
  }

  private final Timeline timeline;
  private final String arm;
  private final int round;
  private final CSVPrinter lines;
  private final Map<Phase, Tally> tallies = new EnumMap<>(Phase.class);

  public GcPauseLog(Timeline timeline, String arm, int round, Writer out) throws IOException {
    this.timeline = timeline;
    this.arm = arm;
    this.round = round;
    this.lines = new CSVPrinter(out, CSVFormat.RFC4180.builder().setHeader(COLUMNS).get());
    for (Phase phase : Phase.values()) {
      tallies.put(phase, new Tally());
    }
  }

  /** One more; passed over if it began before the load did, or after its end. */
  public void add(GcPause pause) throws IOException {
    long startNanos = timeline.ofClock(pause.startNanos());
    if (startNanos < timeline.firstNanos() || startNanos >= timeline.endNanos()) {
      return;
    }
    Phase phase = timeline.phaseOf(startNanos);
    Tally tally = tallies.get(phase);
    tally.durations.record(pause.durationNanos());
    tally.nanos += pause.durationNanos();
    lines.printRecord(
        arm,
        round,
        phase.label(),
        startNanos,
        pause.durationNanos(),
        pause.collector(),
        pause.name(),
        pause.cause());
    lines.flush();
  }

  /** Of each phase that there was. */
  public Phases<GcPauses> pauses() {
    Phases<Double> seconds = timeline.phaseSeconds();
    return Phases.each(phase -> seconds.get(phase) == null ? null : pauses(tallies.get(phase)));
  }

  private static GcPauses pauses(Tally tally) {
    LatencySummary durations = tally.durations.summary();
    return new GcPauses(
        durations.count(),
        Math.round(tally.nanos / 1e3) / 1e3,
        durations.maxMillis(),
        durations.count() < GcPauses.LEAST_FOR_P99 ? null : durations.p99Millis());
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
