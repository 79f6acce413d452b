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
 * What {@code weir why PID --for 25s --out DIR} wrote of {@link SickApplication} with each illness:
 * the files {@code why.json} as they were.
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
    return Observation.of(facts(json(illness)));
  }

  static JsonNode json(SickApplication.Illness illness) {
    String name = illness.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".json";
    try (InputStream in = Recorded.class.getResourceAsStream(name)) {
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
