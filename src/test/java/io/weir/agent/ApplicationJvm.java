package io.weir.agent;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An application in a JVM of its own. It says in lines what it found, and goes on when it is given
 * a line.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> {@link #close} ends it. It is not killed at once,
 * because a JVM that was attached to and then killed leaves its socket in the temporary directory,
 * where a server of another user with the same process identifier would meet it.
 */
final class ApplicationJvm implements AutoCloseable {

  private static final Pattern METRICS = Pattern.compile("metrics are at (http://\\S+)");

  private static final int ENDING_SECONDS = 10;

  private final Process process;
  private final BufferedReader lines;
  private final BufferedWriter input;
  private final Path errors;

  private ApplicationJvm(Process process, Path errors) {
    this.process = process;
    this.lines = process.inputReader();
    this.input = process.outputWriter();
    this.errors = errors;
  }

  /** Starts {@code java} with these arguments, which begin with its options. */
  static ApplicationJvm start(Path directory, String java, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(java, "-Xmx256m", "-XX:+UseSerialGC"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(arguments);
    Path errors = directory.resolve("errors");
    return new ApplicationJvm(
        new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
  }

  long pid() {
    return process.pid();
  }

  /** What stands behind {@code word} in its next line that begins with it. */
  String awaitLine(String word) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(word)) {
        return line.substring(word.length()).trim();
      }
    }
    throw new AssertionError("it ended before it said " + word + ": " + errors());
  }

  /** Lets it go on. */
  void goOn() throws IOException {
    input.newLine();
    input.flush();
  }

  /** What {@code /metrics} shows now. */
  String metrics() throws IOException {
    Matcher address = METRICS.matcher(errors());
    if (!address.find()) {
      throw new AssertionError("no /metrics: " + errors());
    }
    try (InputStream in = URI.create(address.group(1)).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The agent's lines so far. */
  List<String> agentLines() throws IOException {
    return errors().lines().filter(line -> line.startsWith("weir-agent: ")).toList();
  }

  /** Its standard error so far. */
  String errors() throws IOException {
    return Files.readString(errors);
  }

  /** Waits for its end. */
  int exitCode() throws Exception {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("still running: " + errors());
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
