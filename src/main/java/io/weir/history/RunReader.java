package io.weir.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Makes a {@link HistoryEntry} of a run directory, whichever command wrote it.
 *
 * <p><b>Failure:</b> {@link HistoryException} for a directory without a run, for one whose run was
 * interrupted, and for one with a part that failed: their figures are not those of the others.
 */
final class RunReader {

  /** In which lists of a run a part can fail. */
  private static final String[] PARTS = {"arms", "cells", "steps"};

  private RunReader() {}

  /**
   * Reads a run.
   *
   * @param series the name to keep it under; empty for the name of the command
   * @param at the moment to keep it under; empty for its start
   */
  static HistoryEntry read(Path directory, Optional<String> series, Optional<Instant> at)
      throws HistoryException, IOException {
    JsonNode run = tree(directory);
    if (run.path("interrupted").asBoolean()) {
      throw new HistoryException("a run must be whole, this one was interrupted: " + directory);
    }
    for (String part : PARTS) {
      for (JsonNode element : run.path(part)) {
        if (element.path("status").asText().equals("failed")) {
          throw new HistoryException(
              "a run must be whole, in this one %s failed: %s"
                  .formatted(element.path("name").asText("a part"), directory));
        }
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
    return new HistoryEntry(
        series.orElseGet(() -> command(run)),
        at.isPresent() ? at.get() : startedAt(run, directory),
        versions,
        machine(machine),
        workload(run.path("workload")),
        figures);
  }

  private static JsonNode tree(Path directory) throws HistoryException, IOException {
    Path file = directory.resolve("run.json");
    try {
      JsonNode run = RunJson.parse(Files.readString(file));
      if (!run.path("schemaVersion").isInt()) {
        throw new HistoryException("not the run.json of a Weir run, no schemaVersion: " + file);
      }
      return run;
    } catch (NoSuchFileException e) {
      throw new HistoryException("not a run directory, it has no run.json: " + directory);
    } catch (JsonProcessingException e) {
      throw new HistoryException("%s cannot be read as a run: %s".formatted(file, e.getMessage()));
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

  /** The order of rounds follows from the seed and the arms; it is no property of the work. */
  private static Map<String, String> workload(JsonNode workload) {
    Map<String, String> texts = new TreeMap<>();
    workload.properties().stream()
        .filter(member -> !member.getKey().equals("order"))
        .forEach(member -> put(texts, member.getKey(), member.getValue()));
    return texts;
  }

  private static void put(Map<String, String> texts, String name, JsonNode value) {
    if (value.isValueNode() && !value.isNull()) {
      texts.put(name, value.asText());
    }
  }
}
