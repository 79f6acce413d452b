package io.weir.why;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.nrt.ReopenCause;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What {@code weir why --for 25s --out DIR} wrote of {@link SickApplication} with each illness, and
 * of a server of OpenSearch: the files {@code why.json} as they were.
 */
final class Recorded {

  private static final Map<String, Fact> FACTS =
      Stream.concat(
              Arrays.stream(Fact.class.getDeclaredFields())
                  .filter(field -> Modifier.isStatic(field.getModifiers()))
                  .filter(field -> field.getType() == Fact.class)
                  .map(
                      field -> {
                        try {
                          return (Fact) field.get(null);
                        } catch (IllegalAccessException e) {
                          throw new IllegalStateException(e);
                        }
                      }),
              Arrays.stream(ReopenCause.values()).map(Fact::of))
          .collect(Collectors.toMap(Fact::id, fact -> fact));

  private Recorded() {}

  static Observation of(SickApplication.Illness illness) {
    return of(name(illness));
  }

  /** Of the file with this name. */
  static Observation of(String name) {
    return Observation.of(facts(json(name)));
  }

  static String name(SickApplication.Illness illness) {
    return illness.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static JsonNode json(String name) {
    try (InputStream in = Recorded.class.getResourceAsStream(name + ".json")) {
      return new ObjectMapper().readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<Fact, Double> facts(JsonNode json) {
    Map<Fact, Double> facts = new LinkedHashMap<>();
    json.get("facts")
        .properties()
        .forEach(
            entry -> {
              Fact fact = FACTS.get(entry.getKey());
              if (fact == null) {
                throw new IllegalStateException("no such fact: " + entry.getKey());
              }
              facts.put(fact, entry.getValue().get("value").asDouble());
            });
    return facts;
  }
}
