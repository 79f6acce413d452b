package io.weir.control;

import java.util.Locale;

/** Writes durations for people. */
final class Millis {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double FINE_BELOW = 10;

  private Millis() {}

  /** Whole milliseconds, with one decimal place below 10 ms. */
  static String text(long nanos) {
    double millis = nanos / NANOS_PER_MILLI;
    return millis == Math.rint(millis) || millis >= FINE_BELOW
        ? String.format(Locale.ROOT, "%.0f ms", millis)
        : String.format(Locale.ROOT, "%.1f ms", millis);
  }
}
