package io.weir.stress.arm.timeline;

import io.weir.run.LatencySummary;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Latencies of one kind.
 *
 * <p><b>Units:</b> nanoseconds in, milliseconds out; three significant digits, but the maximum and
 * the mean are of the exact values. <b>Threads:</b> one at a time.
 */
public final class LatencyTally {

  private static final int SIGNIFICANT_DIGITS = 3;

  private final Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
  private long maxNanos;
  private double sumNanos;

  /** Of these times. */
  public static LatencyTally of(long[] nanos) {
    LatencyTally tally = new LatencyTally();
    for (long each : nanos) {
      tally.record(each);
    }
    return tally;
  }

  /** One more. */
  public void record(long nanos) {
    histogram.recordValue(nanos);
    maxNanos = Math.max(maxNanos, nanos);
    sumNanos += nanos;
  }

  /** Of all until now. */
  public LatencySummary summary() {
    return summary(Optional.empty());
  }

  /** The same, with the percentile that needs thousands of values. */
  public LatencySummary summaryToP999() {
    return summary(Optional.of(percentileMillis(99.9)));
  }

  private LatencySummary summary(Optional<Double> p999Millis) {
    long count = histogram.getTotalCount();
    return new LatencySummary(
        count,
        count == 0 ? 0 : millis(sumNanos / count),
        percentileMillis(50),
        percentileMillis(90),
        percentileMillis(99),
        p999Millis,
        millis(maxNanos));
  }

  /** All until now; it changes with the next one. */
  public Histogram histogram() {
    return histogram;
  }

  // The histogram answers with the upper edge of a bucket, which may lie above the largest value.
  private double percentileMillis(double percentile) {
    return millis(Math.min(maxNanos, histogram.getValueAtPercentile(percentile)));
  }

  private static double millis(double nanos) {
    return Math.round(nanos / 1e3) / 1e3;
  }
}
