package io.weir.control;

import java.time.Duration;
import java.util.Objects;

/**
 * What a {@link LatencyGoal} holds: a percentile of some latency stays within a limit.
 *
 * @param latency the name of the latency, such as {@code reopen}
 * @param percentile the percentile
 * @param limit from 1 ms to 1 hour
 */
public record LatencyTarget(String latency, Percentile percentile, Duration limit) {

  private static final Duration MIN_LIMIT = Duration.ofMillis(1);
  private static final Duration MAX_LIMIT = Duration.ofHours(1);

  /** Refuses a limit out of range. */
  public LatencyTarget {
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(latency, "latency");
    Objects.requireNonNull(percentile, "percentile");
    if (limit.compareTo(MIN_LIMIT) < 0 || limit.compareTo(MAX_LIMIT) > 0) {
      throw new IllegalArgumentException("limit must be from 1 ms to 1 h: " + limit);
    }
  }

  /** As in {@code reopen.p99 < 50 ms}. */
  @Override
  public String toString() {
    return latency + "." + percentile + " < " + Figures.millis(limit.toNanos());
  }
}
