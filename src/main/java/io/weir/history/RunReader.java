package io.weir.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.run.CellFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

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

  /**
   * Every number of a run, by the names of its part and its figure: {@code
   * arms[stock].reopen.during.p99Millis}. An element of a list goes by its name. Parts of the same
   * name are rounds, and their median counts. What describes the machine is left out, and so is the
   * window of a cell that did not become steady.
   */
  static final class RunFigures {

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
}
