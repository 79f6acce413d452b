package io.weir.stress.result;

/**
 * Pauses of the garbage collector in one phase: times in which it had all threads stand still. What
 * it did beside running threads is in none of them.
 *
 * <p><b>Units:</b> milliseconds.
 *
 * @param count how many began in the phase; with none, the figures are 0
 * @param totalMillis how long they were together
 * @param longestMillis the longest
 * @param p99Millis null when there were fewer than {@value #LEAST_FOR_P99}
 */
public record GcPauses(long count, double totalMillis, double longestMillis, Double p99Millis) {

  /** Of fewer the 99th percentile would be the longest. */
  public static final int LEAST_FOR_P99 = 100;
}
