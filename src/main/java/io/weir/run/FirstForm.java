package io.weir.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.figure.Figure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The form in which runs were written at first: each command had its own, with objects in objects.
 * A figure is called as its value's place in them, so the upgrade only takes the objects apart.
 */
final class FirstForm {

  /** The {@code schemaVersion} of all of them. */
  static final int SCHEMA_VERSION = 1;

  /** {@code weir load} wrote this file, and no {@code run.json}. */
  static final String LOAD_JSON = "load.json";

  /** What is the same in both forms. */
  private static final List<String> OF_A_RUN =
      List.of(
          "weir",
          "lucene",
          "command",
          "startedAt",
          "finishedAt",
          "interrupted",
          "environment",
          "workload",
          "warnings",
          "slos",
          "sweep");

  private static final List<String> OF_A_PART =
      List.of("name", "round", "status", "settings", "failure", "warnings");

  private static final Set<String> LISTS_OF_A_PART = Set.of("warnings", "findings", "parts");

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private FirstForm() {}

  /** The same run in the form of this version. */
  static JsonNode upgrade(JsonNode old) {
    ObjectNode run = JSON.objectNode();
    run.put("schemaVersion", Run.SCHEMA_VERSION);
    run.put("kind", kind(old));
    run.set("slos", JSON.arrayNode());
    copy(old, OF_A_RUN, run);
    if (old.has("endedAt")) { // what weir load called it
      run.set("finishedAt", old.get("endedAt"));
    }
    run.set("values", values(old));
    run.set("findings", findings(old));
    boolean cells = old.has("cells");
    if (cells || old.has("arms")) {
      ArrayNode parts = run.putArray("parts");
      old.path(cells ? "cells" : "arms")
          .forEach(part -> parts.add(part(part, cells ? "cell" : "arm")));
    }
    return run;
  }

  private static String kind(JsonNode old) {
    if (old.has("cells")) {
      return "index";
    }
    if (old.has("limitMillis")) {
      return "load";
    }
    return old.has("sweep") ? "sweep" : "stress";
  }

  private static JsonNode part(JsonNode old, String kind) {
    if (!old.isObject()) {
      return old; // damaged: the reader says so
    }
    ObjectNode part = JSON.objectNode();
    part.put("kind", kind);
    copy(old, OF_A_PART, part);
    part.set("values", values(old));
    part.set("findings", findings(old));
    ArrayNode steps = part.putArray("parts");
    old.path("steps").forEach(step -> steps.add(step(step, old)));
    return part;
  }

  private static ObjectNode step(JsonNode old, JsonNode arm) {
    ObjectNode step = JSON.objectNode();
    step.put("kind", "step");
    step.put("name", old.path("load").asText());
    step.set("round", arm.path("round"));
    step.put("status", old.path("outcome").asText().equals("INTERRUPTED") ? "interrupted" : "done");
    step.set("settings", JSON.objectNode());
    step.set("values", values(old));
    LISTS_OF_A_PART.forEach(step::putArray);
    return step;
  }

  private static void copy(JsonNode old, List<String> members, ObjectNode copy) {
    members.stream().filter(old::has).forEach(member -> copy.set(member, old.get(member)));
  }

  private static JsonNode findings(JsonNode old) {
    JsonNode findings = old.path("noise").path("findings");
    return findings.isArray() ? findings : JSON.arrayNode();
  }

  private static ObjectNode values(JsonNode old) {
    ObjectNode values = JSON.objectNode();
    old.properties().forEach(member -> take(member.getKey(), member.getValue(), values));
    return values;
  }

  /** Takes a value if a figure is called as its place; else what is in it. */
  private static void take(String place, JsonNode value, ObjectNode values) {
    boolean deeper =
        value.properties().stream()
            .map(Map.Entry::getKey)
            .map(member -> place + "." + member)
            .anyMatch(id -> Run.FIGURES.of(id).isPresent() || Run.FIGURES.hasBelow(id));
    Optional<Figure<?>> figure = Run.FIGURES.of(place);
    if (deeper) {
      value
          .properties()
          .forEach(member -> take(place + "." + member.getKey(), member.getValue(), values));
    } else if (figure.isPresent()) {
      values.set(place, value.isArray() && isWords(figure.get()) ? joined(value) : value);
    }
  }

  private static boolean isWords(Figure<?> figure) {
    return figure.type() == String.class;
  }

  private static JsonNode joined(JsonNode words) {
    return JSON.textNode(
        StreamSupport.stream(words.spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining(", ")));
  }
}
