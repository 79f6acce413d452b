package io.weir.load.client;

import io.weir.run.LatencySummary;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Response times from the intended start, summed up: three significant digits, but mean and maximum
 * are exact.
 */
public final class Latencies {

  private static final int SIGNIFICANT_DIGITS = 3;

  private Latencies() {}

  /** Of these times, in nanoseconds. */
  public static LatencySummary summary(long[] nanos) {
    Histogram histogram = histogram(nanos);
    long max = 0;
    double sum = 0;
    for (long each : nanos) {
      max = Math.max(max, each);
      sum += each;
    }
    return new LatencySummary(
        nanos.length,
        nanos.length == 0 ? 0 : millis(sum / nanos.length),
        at(histogram, 50, max),
        at(histogram, 90, max),
        at(histogram, 99, max),
        Optional.of(at(histogram, 99.9, max)),
        millis(max));
  }

  /** The same times as a histogram, in nanoseconds. */
  public static Histogram histogram(long[] nanos) {
    Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
    for (long each : nanos) {
      histogram.recordValue(each);
    }
    return histogram;
  }

  // The histogram answers with the upper edge of a bucket, which may lie above the largest value.
  private static double at(Histogram histogram, double percentile, long max) {
    return millis(Math.min(max, histogram.getValueAtPercentile(percentile)));
  }

  private static double millis(double nanos) {
    return Math.round(nanos / 1e3) / 1e3;
  }
}
