package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** JVMs that {@code weir why} is to look at; each has said {@code ready}. */
final class TargetJvms {

  static final Path OWN_JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  /** Runs on each Java since 11, and in a run-time image of {@code java.base} alone. */
  private static final String WAITING =
      """
      public class Waiting {
        public static void main(String[] arguments) throws Exception {
          System.out.println("ready");
          for (long made = 0; ; made += new byte[Integer.getInteger("garbage", 100_000)].length) {
            Thread.sleep(1);
          }
        }
      }
      """;

  private final List<Process> started = new ArrayList<>();

  /** Starts one, and returns its number. */
  long start(Path java, String... arguments) throws IOException {
    return start(Stream.concat(Stream.of(java.toString()), Arrays.stream(arguments)).toList())
        .pid();
  }

  /** Starts one by a command. */
  Process start(List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    started.add(process);
    assertEquals("ready", process.inputReader().readLine());
    return process;
  }

  /** Starts one that waits and makes garbage. */
  long waiting(Path java, Path directory, String... options) throws IOException {
    return start(waitingCommand(java, directory, options)).pid();
  }

  /** Which command starts one that waits and makes garbage; its class is in {@code directory}. */
  static List<String> waitingCommand(Path java, Path directory, String... options)
      throws IOException {
    Path source = Files.writeString(directory.resolve("Waiting.java"), WAITING);
    int exitCode =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "--release",
                "11",
                "-Xlint:-options",
                "-d",
                directory.toString(),
                source.toString());
    assertEquals(0, exitCode);
    List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx64m"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", directory.toString(), "Waiting"));
    return command;
  }

  /** Ends them all, in order, so that their recorders delete their own directories. */
  void close() throws InterruptedException {
    for (Process process : started) {
      process.destroy();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
    started.clear();
  }
}
