package io.weir.run;

import java.util.Optional;

/**
 * Summary of one set of latencies.
 *
 * <p><b>Units:</b> milliseconds. The maximum is the largest single value, never an interpolation.
 *
 * @param count how many values there were; with none, every figure is 0 and means nothing
 * @param p999Millis empty where values are too few for it to be asked for
 */
public record LatencySummary(
    long count,
    double meanMillis,
    double p50Millis,
    double p90Millis,
    double p99Millis,
    Optional<Double> p999Millis,
    double maxMillis) {

  /** No value at all. */
  public static final LatencySummary EMPTY = new LatencySummary(0, 0, 0, 0, 0, 0);

  /** Without the figure that needs thousands of values. */
  public LatencySummary(
      long count,
      double meanMillis,
      double p50Millis,
      double p90Millis,
      double p99Millis,
      double maxMillis) {
    this(count, meanMillis, p50Millis, p90Millis, p99Millis, Optional.empty(), maxMillis);
  }
}
