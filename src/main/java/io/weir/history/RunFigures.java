package io.weir.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.RunFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Every number of a run, by its place in {@code run.json} or {@code load.json}: {@code
 * arms[stock].reopen.during.p99Millis}. An element of a list goes by its name, or by its load;
 * elements of the same name are rounds, and their median counts. Other elements are left out, and
 * so are what describes the machine and the window of a cell that did not become steady.
 */
final class RunFigures {

  /** Not results, or only one of many rounds. */
  private static final Set<String> LEFT_OUT = Set.of("schemaVersion", "environment", "round");

  /** The members that can name an element by a text, the first that is there. */
  private static final List<String> NAMES = List.of("name", "arm", "cause");

  /** The member that names an element otherwise: the load of a step. */
  private static final String LOAD = "load";

  private static final String STEADY = "steady";

  private RunFigures() {}

  /** The figures of a run, in the order of their names. */
  static Map<String, Double> of(JsonNode run) {
    Map<String, List<Double>> values = new TreeMap<>();
    collect(run, "", values);
    Map<String, Double> figures = new TreeMap<>();
    values.forEach(
        (name, all) -> {
          double[] rounds = all.stream().mapToDouble(value -> value).toArray();
          figures.put(name, RunFigure.median(rounds));
        });
    return figures;
  }

  private static void collect(JsonNode node, String place, Map<String, List<Double>> values) {
    if (node.isNumber()) {
      values.computeIfAbsent(place, name -> new ArrayList<>()).add(node.asDouble());
    } else if (node.isObject()) {
      node.properties().stream()
          .filter(member -> !LEFT_OUT.contains(member.getKey()) && !isUnsteady(member))
          .forEach(
              member ->
                  collect(
                      member.getValue(),
                      place.isEmpty() ? member.getKey() : place + "." + member.getKey(),
                      values));
    } else if (node.isArray()) {
      for (JsonNode element : node) {
        Stream<JsonNode> texts = NAMES.stream().map(element::path).filter(JsonNode::isTextual);
        Stream<JsonNode> load = Stream.of(element.path(LOAD)).filter(JsonNode::isNumber);
        Stream.concat(texts, load)
            .findFirst()
            .ifPresent(name -> collect(element, place + "[" + name.asText() + "]", values));
      }
    }
  }

  private static boolean isUnsteady(Map.Entry<String, JsonNode> member) {
    JsonNode verdict = member.getValue().path("verdict");
    return member.getKey().equals(STEADY)
        && verdict.isTextual()
        && !verdict.asText().equals(STEADY);
  }
}
