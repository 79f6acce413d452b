package io.weir.load.result;

import org.HdrHistogram.Histogram;

/**
 * Response times from the intended start.
 *
 * <p><b>Units:</b> milliseconds; three significant digits, but mean and maximum are exact.
 *
 * @param count how many there were; with none, every figure is 0 and means nothing
 */
public record Latency(
    long count,
    double meanMillis,
    double p50Millis,
    double p90Millis,
    double p99Millis,
    double p999Millis,
    double maxMillis) {

  private static final int SIGNIFICANT_DIGITS = 3;

  /** Of these times, in nanoseconds. */
  public static Latency of(long[] nanos) {
    Histogram histogram = histogram(nanos);
    long max = 0;
    double sum = 0;
    for (long each : nanos) {
      max = Math.max(max, each);
      sum += each;
    }
    return new Latency(
        nanos.length,
        nanos.length == 0 ? 0 : millis(sum / nanos.length),
        at(histogram, 50, max),
        at(histogram, 90, max),
        at(histogram, 99, max),
        at(histogram, 99.9, max),
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
