package io.weir.stress.arm.logs;

import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.LatencyTally;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a line about each pause of the collector while the load ran, and sums the pauses up by the
 * phase in which they began.
 *
 * <p><b>Threads:</b> one at a time. <b>Ownership:</b> closes the lines.
 */
public final class GcPauseLog implements Closeable {

  public static final String[] COLUMNS = {
    "arm", "round", "phase", "start_nanos", "duration_nanos", "collector", "name", "cause"
  };

  private static final class Tally {
    private final LatencyTally durations = new LatencyTally();
    private long nanos;
  }

  private final Timeline timeline;
  private final ArmCsv lines;
  private final Map<Phase, Tally> tallies = new EnumMap<>(Phase.class);

  /**
   * @param lines with {@link #COLUMNS}
   */
  public GcPauseLog(Timeline timeline, ArmCsv lines) {
    this.timeline = timeline;
    this.lines = lines;
    for (Phase phase : Phase.values()) {
      tallies.put(phase, new Tally());
    }
  }

  /** Adds one pause, unless it began before the load did or after its end. */
  public void add(GcPause pause) throws IOException {
    long startNanos = timeline.ofClock(pause.startNanos());
    if (startNanos < timeline.firstNanos() || startNanos >= timeline.endNanos()) {
      return;
    }
    Phase phase = timeline.phaseOf(startNanos);
    Tally tally = tallies.get(phase);
    tally.durations.record(pause.durationNanos());
    tally.nanos += pause.durationNanos();
    lines.line(
        phase.label(),
        startNanos,
        pause.durationNanos(),
        pause.collector(),
        pause.name(),
        pause.cause());
  }

  /** The pauses of each phase that happened. */
  public Values values() {
    Values.Builder values = Values.builder();
    for (Phase phase : Phase.MEASURED) {
      if (timeline.span(phase).isPresent()) {
        Tally tally = tallies.get(phase);
        LatencySummary durations = tally.durations.summary();
        values
            .put(ArmFigures.GC_PAUSES, phase, durations.count())
            .put(ArmFigures.GC_PAUSED, phase, Math.round(tally.nanos / 1e3) / 1e3)
            .put(ArmFigures.GC_LONGEST, phase, durations.maxMillis())
            .put(
                ArmFigures.GC_P99,
                phase,
                Optional.of(durations)
                    .filter(d -> d.count() >= ArmFigures.LEAST_PAUSES_FOR_P99)
                    .map(LatencySummary::p99Millis));
      }
    }
    return values.build();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
