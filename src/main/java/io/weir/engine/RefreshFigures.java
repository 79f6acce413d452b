package io.weir.engine;

import io.weir.nrt.Reopen;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenResult;
import io.weir.nrt.ReopenSnapshot;
import java.util.Map;

/** The figures of one kind of refresh: counts since the shard opened, and recent durations. */
public final class RefreshFigures {

  private static final double NANOS_PER_MILLI = 1e6;

  private RefreshFigures() {}

  public static Map<String, Object> of(ReopenMonitor monitor) {
    long[] recent =
        monitor.recent().stream()
            .filter(refresh -> refresh.result() == ReopenResult.CHANGED)
            .mapToLong(Reopen::totalNanos)
            .sorted()
            .toArray();
    Map<String, Object> figures = Figures.of(ReopenSnapshot.FIGURES, monitor.snapshot());
    if (recent.length > 0) {
      figures.put(
          "recent",
          Figures.of(
              "count", recent.length,
              "p50_millis", millis(percentile(recent, 50)),
              "p90_millis", millis(percentile(recent, 90)),
              "p99_millis", millis(percentile(recent, 99)),
              "max_millis", millis(recent[recent.length - 1])));
    }
    return figures;
  }

  /** The smallest of the sorted values that is not exceeded by {@code percent} of them. */
  private static long percentile(long[] sorted, int percent) {
    return sorted[Math.max(0, (int) Math.ceil(sorted.length * percent / 100.0) - 1)];
  }

  private static double millis(long nanos) {
    return Math.round(nanos / NANOS_PER_MILLI * 100) / 100.0;
  }
}
