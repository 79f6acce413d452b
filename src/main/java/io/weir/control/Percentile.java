package io.weir.control;

import java.util.Locale;

/**
 * A percentile of latencies: the 99th is the time within which 99 of 100 operations end.
 *
 * @param percent more than 0 and less than 100
 */
public record Percentile(double percent) {

  /** The median. */
  public static final Percentile P50 = new Percentile(50);

  /** Nine of ten operations end within it. */
  public static final Percentile P90 = new Percentile(90);

  /** Nineteen of twenty operations end within it. */
  public static final Percentile P95 = new Percentile(95);

  /** 99 of 100 operations end within it. */
  public static final Percentile P99 = new Percentile(99);

  /** 999 of 1000 operations end within it. */
  public static final Percentile P999 = new Percentile(99.9);

  private static final double WHOLE = 100;

  /** Refuses a value out of range. */
  public Percentile {
    if (!(percent > 0 && percent < WHOLE)) {
      throw new IllegalArgumentException(
          "percent must be more than 0 and less than 100: " + percent);
    }
  }

  /** The fraction of operations that may take longer. */
  double allowedShare() {
    return (WHOLE - percent) / WHOLE;
  }

  /** As in {@code p99} and {@code p99.9}. */
  @Override
  public String toString() {
    return percent == Math.rint(percent)
        ? String.format(Locale.ROOT, "p%.0f", percent)
        : "p" + percent;
  }
}
