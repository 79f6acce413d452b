package io.weir.history;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Every number of a {@code run.json}, by its place in it: {@code
 * arms[stock].reopen.during.p99Millis}. An element of a list goes by its name; elements of the same
 * name are rounds, and their median counts. An element without a name is left out, and so is what
 * describes the machine.
 */
final class RunFigures {

  /** Not results, or only one of many rounds. */
  private static final Set<String> LEFT_OUT = Set.of("schemaVersion", "environment", "round");

  /** The members that can name an element, the first that is there. */
  private static final List<String> NAMES = List.of("name", "arm", "cause");

  private RunFigures() {}

  /** The figures of a run, in the order of their names. */
  static Map<String, Double> of(JsonNode run) {
    Map<String, List<Double>> values = new TreeMap<>();
    collect(run, "", values);
    Map<String, Double> figures = new TreeMap<>();
    values.forEach((name, all) -> figures.put(name, median(all)));
    return figures;
  }

  private static void collect(JsonNode node, String place, Map<String, List<Double>> values) {
    if (node.isNumber()) {
      values.computeIfAbsent(place, name -> new ArrayList<>()).add(node.asDouble());
    } else if (node.isObject()) {
      node.properties().stream()
          .filter(member -> !LEFT_OUT.contains(member.getKey()))
          .forEach(
              member ->
                  collect(
                      member.getValue(),
                      place.isEmpty() ? member.getKey() : place + "." + member.getKey(),
                      values));
    } else if (node.isArray()) {
      for (JsonNode element : node) {
        NAMES.stream()
            .map(element::path)
            .filter(JsonNode::isTextual)
            .findFirst()
            .ifPresent(name -> collect(element, place + "[" + name.asText() + "]", values));
      }
    }
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(value -> value).toArray();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
