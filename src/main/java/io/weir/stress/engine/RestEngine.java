package io.weir.stress.engine;

import io.weir.stress.plan.Engine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Distributions of an engine: one that the user has unpacked, and copies of it for one run. */
public final class RestEngine {

  private static final String LOGS = "logs";

  /** Directories that are not copied. */
  private static final Set<String> FRESH = Set.of("plugins", LOGS);

  private RestEngine() {}

  /** Why a directory is no distribution of the engine; empty if it is one. */
  public static Optional<String> obstacle(Engine engine, Path home) {
    for (String script : List.of(engine.script(), engine.pluginScript())) {
      if (!Files.isExecutable(home.resolve(script))) {
        return Optional.of(
            "there is no %s in %s; tools/engine %s fetches a distribution and prints where it is"
                .formatted(script, home, engine.label()));
      }
    }
    return Optional.empty();
  }

  /**
   * Copies a distribution, without its plug-ins, and installs one.
   *
   * @param plugin the zip; empty for none
   */
  public static void copy(Engine engine, Path home, Optional<Path> plugin, Path to)
      throws IOException, InterruptedException {
    Path configuration = home.resolve("config");
    for (String fresh : FRESH) {
      Files.createDirectories(to.resolve(fresh));
    }
    ServerUser.giveTo(to.resolve(LOGS)); // the server logs its collections there
    try (Stream<Path> parts = Files.list(home)) {
      for (Path part : parts.toList()) {
        Path copy = to.resolve(part.getFileName());
        if (part.equals(configuration)) {
          FileTree.copy(part, copy, file -> false);
        } else if (Files.isDirectory(part) && !FRESH.contains(part.getFileName().toString())) {
          FileTree.copy(part, copy, file -> true);
        } else if (Files.isRegularFile(part)) {
          Files.copy(part, copy);
        }
      }
    }
    if (plugin.isPresent()) {
      install(engine, to, plugin.get().toAbsolutePath());
    }
  }

  private static void install(Engine engine, Path home, Path plugin)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(home.resolve(engine.pluginScript()).toString());
    command.addAll(List.of("install", "--batch", plugin.toUri().toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(engine.variable("JAVA_HOME"), System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new EngineException(
          "%s cannot install %s: %s".formatted(engine.pluginScript(), plugin, said.strip()));
    }
  }
}
