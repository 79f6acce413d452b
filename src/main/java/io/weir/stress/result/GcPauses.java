package io.weir.stress.result;

import java.util.Optional;

/**
 * Pauses of the garbage collector in one phase: the times in which it stopped all threads. Its
 * concurrent work is not included.
 *
 * <p><b>Units:</b> milliseconds.
 *
 * @param count how many began in the phase; if none did, the figures are 0
 * @param totalMillis their sum
 * @param longestMillis the longest
 * @param p99Millis empty for fewer than {@value #LEAST_FOR_P99} pauses
 */
public record GcPauses(
    long count, double totalMillis, double longestMillis, Optional<Double> p99Millis) {

  /** Of fewer pauses, the 99th percentile would be the longest. */
  public static final int LEAST_FOR_P99 = 100;
}
