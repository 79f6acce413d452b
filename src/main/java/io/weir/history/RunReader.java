package io.weir.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.run.CellFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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

  private RunReader() {}

  /**
   * Reads a run.
   *
   * @param series the name to keep it under; empty for the name of the command
   * @param at the moment to keep it under; empty for its start
   */
  static HistoryEntry read(Path directory, Optional<String> series, Optional<Instant> at)
      throws HistoryException {
    Run run = run(directory);
    if (run.interrupted()) {
      throw new HistoryException(
          "a run must be whole, this one was interrupted or has not ended: " + directory);
    }
    for (Part part : run.parts()) {
      if (part.status() != Status.DONE) {
        throw new HistoryException(
            "a run must be whole, in this one %s %s: %s"
                .formatted(
                    part.name(),
                    part.status() == Status.FAILED ? "failed" : "was interrupted",
                    directory));
      }
    }
    Map<String, Double> figures = RunFigures.of(run);
    JsonNode machine = run.environment();
    Map<String, String> versions = new TreeMap<>();
    versions.put("Weir", run.weir());
    versions.put("Lucene", run.lucene());
    put(versions, "Java", machine.path("jvm").path("version"));
    put(versions, "kernel", machine.path("kernel"));
    Map<String, String> workload = workload(run);
    return new HistoryEntry(
        series.orElseGet(() -> run.command().isEmpty() ? "run" : run.command().getFirst()),
        at.orElse(run.startedAt()),
        versions,
        settings(run, workload.keySet(), versions),
        machine(machine),
        workload,
        figures);
  }

  private static Run run(Path directory) throws HistoryException {
    if (Files.isRegularFile(directory)) {
      throw new HistoryException("a run is a directory, this is a file: " + directory);
    }
    try {
      return new RunFiles(directory).read();
    } catch (IOException e) {
      throw new HistoryException(e.getMessage());
    }
  }

  /**
   * The settings of each arm, without those that all arms have as a part of the work. The Java of
   * an arm counts where it is not the one of the run, which is a version already.
   */
  private static Map<String, Map<String, String>> settings(
      Run run, Set<String> work, Map<String, String> versions) {
    Map<String, Map<String, String>> arms = new TreeMap<>();
    for (Part part : run.parts()) {
      Map<String, String> texts = new TreeMap<>(part.settings());
      texts.keySet().removeAll(work);
      texts.remove("java", versions.get("Java"));
      if (!texts.isEmpty()) {
        arms.put(part.get(CellFigures.ARM).orElse(part.name()), texts);
      }
    }
    return arms;
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
  private static Map<String, String> workload(Run run) {
    Map<String, String> texts = new TreeMap<>(run.workload());
    texts.keySet().removeIf(name -> name.equals("order") || name.startsWith("indexBytes"));
    return texts;
  }

  private static void put(Map<String, String> texts, String name, JsonNode value) {
    if (value.isValueNode() && !value.isNull()) {
      texts.put(name, value.asText());
    }
  }
}
