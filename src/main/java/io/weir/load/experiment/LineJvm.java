package io.weir.load.experiment;

import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.RunJson;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that reads lines and answers with lines of JSON. The end of its input ends it, so it also
 * ends when this process is killed. Its standard error goes to a file.
 *
 * <p><b>Threads:</b> {@link #tell} and {@link #await} from one; {@link #endInput} from any.
 * <b>Ownership:</b> {@link #close} ends it. <b>Failure:</b> {@link DiedException} when it is gone.
 */
final class LineJvm implements Closeable {

  private static final int LAST_LINES = 20;
  private static final int SIGNALLED = 128;
  private static final int ENDING_SECONDS = 20;

  /** A JVM ended before it answered. */
  static final class DiedException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient ArmFailure failure;

    private DiedException(ArmFailure failure) {
      super(failure.reason());
      this.failure = failure;
    }

    ArmFailure failure() {
      return failure;
    }
  }

  private final String what;
  private final Process process;
  private final BufferedWriter input;
  private final BufferedReader output;
  private final Path errors;
  private final Deque<String> lastOutput = new ArrayDeque<>();

  private LineJvm(String what, Process process, Path errors) {
    this.what = what;
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    this.output = process.inputReader(StandardCharsets.UTF_8);
    this.errors = errors;
  }

  /**
   * Starts one.
   *
   * @param what it is, for messages: {@code the server}
   * @param errors the file for its standard error
   * @param environment variables that it has besides those of this process
   */
  static LineJvm start(
      String what, List<String> command, Path errors, Map<String, String> environment)
      throws DiedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().putAll(environment);
    try {
      return new LineJvm(what, builder.start(), errors);
    } catch (IOException e) {
      throw new DiedException(
          new ArmFailure(
              "the JVM of %s could not be run: %s".formatted(what, e.getMessage()),
              Optional.empty(),
              List.of()));
    }
  }

  /** Sends a line. */
  void tell(String line) throws DiedException, InterruptedException {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      throw died();
    }
  }

  /** Waits for an answer of this kind. */
  <T> T await(Class<?> answers, Class<T> expected) throws DiedException, InterruptedException {
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        Optional<?> answer = parse(line, answers);
        if (answer.isPresent()) {
          return expected.cast(answer.get());
        }
        lastOutput.addLast(line); // of a library, or of the JVM itself
        if (lastOutput.size() > LAST_LINES) {
          lastOutput.removeFirst();
        }
      }
    } catch (IOException e) {
      // The same as an end.
    }
    throw died();
  }

  /** Runs {@code action} when it has ended, on another thread. */
  void onExit(Runnable action) {
    process.onExit().thenRun(action);
  }

  /** Asks it to end with what it has. */
  void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
  }

  private DiedException died() throws InterruptedException {
    int exitCode = process.waitFor();
    String how =
        exitCode > SIGNALLED
            ? "was ended by signal " + (exitCode - SIGNALLED)
            : "ended with exit code " + exitCode;
    return new DiedException(
        new ArmFailure("the JVM of %s %s".formatted(what, how), Optional.of(exitCode), lines()));
  }

  private List<String> lines() {
    try {
      List<String> lines = new ArrayList<>(lastOutput);
      lines.addAll(Files.readAllLines(errors, StandardCharsets.ISO_8859_1));
      return List.copyOf(lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    } catch (IOException e) {
      return List.of("(its standard error cannot be read: " + e + ")");
    }
  }

  private static Optional<?> parse(String line, Class<?> type) {
    try {
      return line.startsWith("{") ? Optional.of(RunJson.ofLine(line, type)) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Ends its input, waits a little while it closes its files, and kills it if it still runs. */
  @Override
  public void close() {
    endInput();
    process
        .onExit()
        .completeOnTimeout(process, ENDING_SECONDS, TimeUnit.SECONDS)
        .thenAccept(Process::destroyForcibly)
        .join();
    process.onExit().join();
  }
}
