package io.weir.stress.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A JVM for workers.
 *
 * @param java the executable; empty for the one that runs this
 * @param arguments further arguments
 */
public record WorkerJvm(Optional<String> java, List<String> arguments) {

  /** The JVM that runs this, without further arguments. */
  public static final WorkerJvm SAME = new WorkerJvm(Optional.empty(), List.of());

  /** The command that runs {@code main} with the libraries of this JVM. */
  public List<String> command(Class<?> main, Path... mainArguments) {
    List<String> command = new ArrayList<>();
    command.add(
        java.orElseGet(() -> Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(arguments);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    for (Path argument : mainArguments) {
      command.add(argument.toString());
    }
    return command;
  }
}
