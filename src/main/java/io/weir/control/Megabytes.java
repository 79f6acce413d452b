package io.weir.control;

import java.util.Locale;

/** Writes numbers of bytes for people. */
final class Megabytes {

  private static final double BYTES_PER_MEGABYTE = 1e6;

  private Megabytes() {}

  /** Megabytes with one decimal place, without the unit. */
  static String text(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / BYTES_PER_MEGABYTE);
  }
}
