package io.weir.engine;

import io.weir.figure.Shown;
import io.weir.figure.SourceFigures;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Named figures in the order in which an answer shows them. The values are numbers, truth values,
 * text, lists and maps: every engine can send these between its nodes.
 */
public final class Figures {

  private Figures() {}

  /** Of names and values in turn; a null value is absent. */
  public static Map<String, Object> of(Object... namesAndValues) {
    Map<String, Object> figures = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      if (namesAndValues[i + 1] != null) {
        figures.put((String) namesAndValues[i], namesAndValues[i + 1]);
      }
    }
    return figures;
  }

  /**
   * Those of a source, in a map that the caller may add to; an unknown one is absent. Fractions
   * have two digits.
   */
  public static <S> Map<String, Object> of(SourceFigures<S> figures, S source) {
    Map<String, Object> shown = new LinkedHashMap<>();
    figures
        .in(Shown.ANSWER)
        .forEach(
            figure ->
                figure
                    .in(Shown.ANSWER, source)
                    .ifPresent(value -> shown.put(figure.name(Shown.ANSWER), rounded(value))));
    return shown;
  }

  private static Object rounded(Object value) {
    return value instanceof Double number ? Math.round(number * 100) / 100.0 : value;
  }

  /** The name of a constant, as figures show it. */
  public static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  public static long millis(long nanos) {
    return Duration.ofNanos(nanos).toMillis();
  }
}
