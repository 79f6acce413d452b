package io.weir.stress.arm.timeline;

import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The latencies of one kind of operation, by phase, and since the last interval for the interval
 * log.
 *
 * <p><b>Units:</b> nanoseconds in, milliseconds out; three significant digits, but the maximum and
 * the mean are of the exact values. <b>Threads:</b> any; recording takes a short lock.
 */
public final class LatencyRecorder {

  private static final int SIGNIFICANT_DIGITS = 3;

  private final Map<Phase, LatencyTally> byPhase = new EnumMap<>(Phase.class); // guarded by this
  private Map<Phase, Histogram> intervals = new EnumMap<>(Phase.class); // guarded by this

  public LatencyRecorder() {
    for (Phase phase : Phase.values()) {
      byPhase.put(phase, new LatencyTally());
    }
  }

  public synchronized void record(Phase phase, long nanos) {
    byPhase.get(phase).record(nanos);
    intervals
        .computeIfAbsent(phase, unused -> new Histogram(SIGNIFICANT_DIGITS))
        .recordValue(nanos);
  }

  public synchronized LatencySummary summary(Phase phase) {
    return byPhase.get(phase).summary();
  }

  /** The latencies since the last call, without phases that have none. */
  public synchronized Map<Phase, Histogram> takeIntervals() {
    Map<Phase, Histogram> taken = intervals;
    intervals = new EnumMap<>(Phase.class);
    return taken;
  }
}
