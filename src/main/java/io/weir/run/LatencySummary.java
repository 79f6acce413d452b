package io.weir.run;

import java.util.Collection;
import java.util.Optional;

/**
 * Summary of one set of latencies.
 *
 * <p>One per cent of 1,000 values are ten; of a hundred it is one, and the "p99" is the longest by
 * another name. So a percentile is shown only from {@link #LEAST_FOR_P99} or {@link #LEAST_FOR_P90}
 * values {@link #together} on.
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

  /** The fewest values whose 99th percentile is not just their longest. */
  public static final long LEAST_FOR_P99 = leastFor(99);

  /** Likewise for the 90th. */
  public static final long LEAST_FOR_P90 = leastFor(90);

  /** Rounds agree when no median is more than so many times another. */
  private static final double MOST_APART = 2;

  /**
   * How many values the percentiles of some rounds rest on: those of all rounds where these agree
   * with each other, else those of the round that has the fewest.
   */
  public static long together(Collection<LatencySummary> rounds) {
    double lowest = rounds.stream().mapToDouble(LatencySummary::p50Millis).min().orElse(0);
    double highest = rounds.stream().mapToDouble(LatencySummary::p50Millis).max().orElse(0);
    return highest <= MOST_APART * lowest
        ? rounds.stream().mapToLong(LatencySummary::count).sum()
        : rounds.stream().mapToLong(LatencySummary::count).min().orElse(0);
  }

  /** The fewest values of which ten are above {@code percentile}. */
  public static long leastFor(double percentile) {
    return Math.round(10 * 100 / (100 - percentile));
  }

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
