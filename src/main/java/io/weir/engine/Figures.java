package io.weir.engine;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Named figures in the order in which an answer shows them. The values are numbers, truth values,
 * text, lists and maps: every engine can send these between its nodes.
 */
final class Figures {

  private Figures() {}

  /** Of names and values in turn; a null value is absent. */
  static Map<String, Object> of(Object... namesAndValues) {
    Map<String, Object> figures = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] != null) {
        figures.put((String) namesAndValues[i], namesAndValues[i + 1]);
      }
    }
    return figures;
  }

  /** The name of a constant, as figures show it. */
  static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static long millis(long nanos) {
    return Duration.ofNanos(nanos).toMillis();
  }
}
