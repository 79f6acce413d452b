package io.weir.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.FailureWords;
import io.weir.stress.result.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes a {@link HistoryEntry} of a run directory, whichever command wrote it.
 *
 * <p><b>Failure:</b> {@link HistoryException} for a directory without a run, for a run that was
 * interrupted or has not ended, and for one with a part that did not end well: their figures are
 * not those of the others.
 */
final class RunReader {

  /** In which lists of a run a part can fail. */
  private static final List<String> PARTS = List.of("arms", "cells");

  private static final String DONE = "done";

  private RunReader() {}

  /**
   * Reads a run.
   *
   * @param series the name to keep it under; empty for the name of the command
   * @param at the moment to keep it under; empty for its start
   */
  static HistoryEntry read(Path directory, Optional<String> series, Optional<Instant> at)
      throws HistoryException {
    JsonNode run = tree(directory);
    if (run.path("interrupted").asBoolean()) {
      throw new HistoryException(
          "a run must be whole, this one was interrupted or has not ended: " + directory);
    }
    for (JsonNode part : parts(run)) {
      String status = part.path("status").asText(DONE);
      if (!status.equals(DONE)) {
        throw new HistoryException(
            "a run must be whole, in this one %s %s: %s"
                .formatted(
                    part.path("name").asText("a part"),
                    status.equals("failed") ? status : "was " + status,
                    directory));
      }
    }
    Map<String, Double> figures = RunFigures.of(run);
    if (figures.isEmpty()) {
      throw new HistoryException("the run has no figures: " + directory);
    }
    JsonNode machine = run.path("environment");
    Map<String, String> versions = new TreeMap<>();
    put(versions, "Weir", run.path("weir"));
    put(versions, "Lucene", run.path("lucene"));
    put(versions, "Java", machine.path("jvm").path("version"));
    put(versions, "kernel", machine.path("kernel"));
    Map<String, String> workload = workload(run.path("workload"));
    return new HistoryEntry(
        series.orElseGet(() -> command(run)),
        at.isPresent() ? at.get() : startedAt(run, directory),
        versions,
        settings(run, workload.keySet(), versions),
        machine(machine),
        workload,
        figures);
  }

  private static List<JsonNode> parts(JsonNode run) {
    List<JsonNode> parts = new ArrayList<>();
    PARTS.forEach(part -> run.path(part).forEach(parts::add));
    return parts;
  }

  /**
   * The settings of each arm, without those that all arms have as a part of the work. The Java of
   * an arm counts where it is not the one of the run, which is a version already.
   */
  private static Map<String, Map<String, String>> settings(
      JsonNode run, Set<String> work, Map<String, String> versions) {
    Map<String, Map<String, String>> arms = new TreeMap<>();
    for (JsonNode part : parts(run)) {
      JsonNode arm = part.path("cell").path("arm");
      String name = (arm.isTextual() ? arm : part.path("name")).asText();
      Map<String, String> texts = texts(part.path("settings"));
      texts.keySet().removeAll(work);
      texts.remove("java", versions.get("Java"));
      if (!texts.isEmpty()) {
        arms.put(name, texts);
      }
    }
    return arms;
  }

  private static JsonNode tree(Path directory) throws HistoryException {
    if (Files.isRegularFile(directory)) {
      throw new HistoryException("a run is a directory, this is a file: " + directory);
    }
    Path load = directory.resolve("load.json");
    Path file = Files.exists(load) ? load : directory.resolve("run.json");
    try {
      JsonNode run = RunJson.parse(Files.readString(file));
      if (!run.path("schemaVersion").isInt()) {
        throw new HistoryException(
            "not the %s of a Weir run, no schemaVersion: %s".formatted(file.getFileName(), file));
      }
      return run;
    } catch (NoSuchFileException e) {
      throw new HistoryException("not a run directory, it has no run.json: " + directory);
    } catch (JsonProcessingException e) {
      throw new HistoryException("%s cannot be read as a run: %s".formatted(file, e.getMessage()));
    } catch (IOException e) { // its message alone may be a path, or nothing
      throw new HistoryException(
          "%s cannot be read as a run: %s".formatted(file, FailureWords.of(e)));
    }
  }

  private static String command(JsonNode run) {
    JsonNode first = run.path("command").path(0);
    return first.isTextual() ? first.asText() : "run";
  }

  private static Instant startedAt(JsonNode run, Path directory) throws HistoryException {
    try {
      return Instant.parse(run.path("startedAt").asText());
    } catch (DateTimeParseException e) {
      throw new HistoryException("the run does not say when it started: " + directory);
    }
  }

  private static Map<String, String> machine(JsonNode environment) {
    Map<String, String> machine = new TreeMap<>();
    put(machine, "processor", environment.path("cpu").path("model"));
    put(machine, "processors", environment.path("cpu").path("logicalCores"));
    JsonNode memory = environment.path("memoryBytes");
    if (memory.isNumber()) {
      machine.put("memory", Math.round(memory.asDouble() / 1e9) + " GB"); // kernels keep a little
    }
    put(machine, "disk", environment.path("storage").path("device"));
    return machine;
  }

  /**
   * The order of rounds follows from the seed and the arms, and the size of an index from all that
   * built it; neither is a property of the work.
   */
  private static Map<String, String> workload(JsonNode workload) {
    Map<String, String> texts = texts(workload);
    texts.keySet().removeIf(name -> name.equals("order") || name.startsWith("indexBytes"));
    return texts;
  }

  private static Map<String, String> texts(JsonNode node) {
    Map<String, String> texts = new TreeMap<>();
    node.properties().forEach(member -> put(texts, member.getKey(), member.getValue()));
    return texts;
  }

  private static void put(Map<String, String> texts, String name, JsonNode value) {
    if (value.isValueNode() && !value.isNull()) {
      texts.put(name, value.asText());
    }
  }
}
