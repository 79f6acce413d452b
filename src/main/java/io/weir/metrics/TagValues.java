package io.weir.metrics;

import java.util.Locale;

/** Converts enum constants to tag values. */
final class TagValues {

  private TagValues() {}

  /** {@code OPEN_READERS} as {@code open-readers}. */
  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
