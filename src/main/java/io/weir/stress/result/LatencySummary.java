package io.weir.stress.result;

/**
 * Summary of one set of latencies.
 *
 * <p><b>Units:</b> milliseconds. The maximum is the largest single value, never an interpolation.
 *
 * @param count how many values there were; with none, every figure is 0 and means nothing
 */
public record LatencySummary(
    long count,
    double meanMillis,
    double p50Millis,
    double p90Millis,
    double p99Millis,
    double maxMillis) {

  /** No value at all. */
  public static final LatencySummary EMPTY = new LatencySummary(0, 0, 0, 0, 0, 0);
}
