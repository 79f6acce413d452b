package io.weir.solr;

import java.util.LinkedHashMap;
import java.util.Map;

/** Named figures in the order in which an answer shows them. */
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
}
