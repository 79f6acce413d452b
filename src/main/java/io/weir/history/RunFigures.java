package io.weir.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.run.CellFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.RunJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Every number of a run, by the names of its part and its figure: {@code
 * arms[stock].reopen.during.p99Millis}. An element of a list goes by its name. Parts of the same
 * name are rounds, and their median counts. What describes the machine is left out, and so is the
 * window of a cell that did not become steady.
 */
final class RunFigures {

  /** The members that can name an element of a list, the first that is there. */
  private static final List<String> NAMES = List.of("arm", "cause");

  private static final String STEADY = "steady.";

  private final Map<String, List<Double>> values = new TreeMap<>();

  private RunFigures() {}

  /** The figures of a run, in the order of their names. */
  static Map<String, Double> of(Run run) {
    RunFigures all = new RunFigures();
    all.collect(RunJson.tree(run.values()), "");
    all.collect(RunJson.tree(run.slos()), "slos");
    run.sweep().ifPresent(sweep -> all.collect(RunJson.tree(sweep), "sweep"));
    run.parts().forEach(part -> all.collect(part, ""));
    Map<String, Double> figures = new TreeMap<>();
    all.values.forEach(
        (name, rounds) ->
            figures.put(name, RunFigure.median(rounds.stream().mapToDouble(v -> v).toArray())));
    return figures;
  }

  private void collect(Part part, String place) {
    String list =
        switch (part.kind()) {
          case ARM -> "arms";
          case STEP -> "steps";
          case CELL -> "cells";
        };
    String inside = "%s%s[%s].".formatted(place, list, part.name());
    boolean steady =
        part.get(CellFigures.VERDICT).orElse(CellFigures.Verdict.STEADY)
            == CellFigures.Verdict.STEADY;
    RunJson.tree(part.values()).properties().stream()
        .filter(value -> steady || !value.getKey().startsWith(STEADY))
        .forEach(value -> collect(value.getValue(), inside + value.getKey()));
    part.parts().forEach(step -> collect(step, inside));
  }

  private void collect(JsonNode node, String place) {
    if (node.isNumber()) {
      values.computeIfAbsent(place, name -> new ArrayList<>()).add(node.asDouble());
    } else if (node.isObject()) {
      String inside = place.isEmpty() ? "" : place + ".";
      node.properties().forEach(member -> collect(member.getValue(), inside + member.getKey()));
    } else if (node.isArray()) {
      for (JsonNode element : node) {
        Stream<JsonNode> names = NAMES.stream().map(element::path).filter(JsonNode::isTextual);
        names.findFirst().ifPresent(name -> collect(element, place + "[" + name.asText() + "]"));
      }
    }
  }
}
