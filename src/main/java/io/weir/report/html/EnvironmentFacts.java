package io.weir.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The machine in words: one entry for each top-level property of the tree in the run. Any property
 * is shown, known or not.
 */
public final class EnvironmentFacts {
  private EnvironmentFacts() {}

  /** The entries, in the order of the tree. */
  public static Map<String, String> of(JsonNode environment) {
    Map<String, String> facts = new LinkedHashMap<>();
    if (environment.isObject()) {
      environment
          .properties()
          .forEach(
              property -> {
                String name = property.getKey();
                String value = text(name, property.getValue());
                if (!value.isEmpty()) {
                  facts.put(words(name), value);
                }
              });
    }
    return facts;
  }

  /** The arguments, quoted for a shell. */
  public static String commandLine(List<String> arguments) {
    return arguments.stream()
        .map(
            argument ->
                argument.matches("[A-Za-z0-9_./:=,@%+-]+")
                    ? argument
                    : "'" + argument.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  private static String text(String name, JsonNode value) {
    if (value.isObject()) {
      List<String> parts = new ArrayList<>();
      value
          .properties()
          .forEach(
              property -> {
                String inner = text(property.getKey(), property.getValue());
                if (!inner.isEmpty()) {
                  parts.add(words(property.getKey()) + " " + inner);
                }
              });
      return String.join(", ", parts);
    }
    if (value.isArray()) {
      List<String> parts = new ArrayList<>();
      value.forEach(element -> parts.add(text(name, element)));
      return String.join(" ", parts);
    }
    if (value.isNumber() && name.endsWith("Bytes")) {
      return Figures.bytes(value.asDouble());
    }
    return value.isNull() ? "" : value.asText();
  }

  /** {@code maxHeapBytes} to {@code max heap}: the unit stands beside the figure. */
  private static String words(String name) {
    String bare = name.endsWith("Bytes") ? name.substring(0, name.length() - 5) : name;
    return bare.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
  }
}
