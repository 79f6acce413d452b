package io.weir.control;

import java.util.Locale;

/** Writes figures for people. */
final class Figures {

  private static final double BYTES_PER_MEGABYTE = 1e6;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double FINE_BELOW_MILLIS = 10;

  private Figures() {}

  /** Megabytes with one decimal place, without the unit. */
  static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / BYTES_PER_MEGABYTE);
  }

  /** Whole milliseconds, with one decimal place below 10 ms. */
  static String millis(long nanos) {
    double millis = nanos / NANOS_PER_MILLI;
    return millis == Math.rint(millis) || millis >= FINE_BELOW_MILLIS
        ? String.format(Locale.ROOT, "%.0f ms", millis)
        : String.format(Locale.ROOT, "%.1f ms", millis);
  }
}
