package io.weir.jvm;

import io.weir.run.Failure;
import io.weir.run.FailureWords;
import io.weir.run.RunJson;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that reads lines and answers with lines of JSON. The end of its input ends it, so it also
 * ends when this process is killed. Its standard error goes to a file. Its standard output is
 * always read: a JVM that logs there stands still, in a safepoint even, when the pipe is full.
 *
 * <p><b>Threads:</b> {@link #tell} and {@link #await} from one; what ends it from any.
 * <b>Ownership:</b> {@link #close} ends it. <b>Failure:</b> {@link DiedException} when it is gone.
 */
public final class WorkerJvm implements Closeable {

  private static final int LAST_LINES = 20;
  private static final int SIGNALLED = 128;
  private static final int ENDING_SECONDS = 20;
  private static final int STOPPING_SECONDS = 60;
  private static final Duration READING_THE_REST = Duration.ofSeconds(5);

  /** A JVM ended before it answered. */
  public static final class DiedException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    private DiedException(Failure failure) {
      super(failure.reason());
      this.failure = failure;
    }

    public Failure failure() {
      return failure;
    }
  }

  private final String what;
  private final Process process;
  private final BufferedWriter input;
  private final Path errors;
  private final BlockingQueue<Optional<String>> said = new LinkedBlockingQueue<>();
  private final Deque<String> lastOutput = new ArrayDeque<>(); // guarded by itself
  private final Thread reader;

  private WorkerJvm(String what, Process process, Path errors) {
    this.what = what;
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    this.errors = errors;
    this.reader = Thread.ofPlatform().daemon().name("weir-lines").start(this::read);
  }

  /** Sorts its lines until its output ends, for which there is an empty one. */
  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.startsWith("{")) {
          said.add(Optional.of(line));
        } else {
          keep(line);
        }
      }
    } catch (IOException e) {
      // The same as an end.
    }
    said.add(Optional.empty());
  }

  /** A line of a library, or of the JVM itself. */
  private void keep(String line) {
    synchronized (lastOutput) {
      lastOutput.addLast(line);
      if (lastOutput.size() > LAST_LINES) {
        lastOutput.removeFirst();
      }
    }
  }

  /**
   * Starts one.
   *
   * @param what it is, for messages: {@code the server}
   * @param errors the file for its standard error
   * @param environment variables that it has besides those of this process; it has no others for
   *     the login of a target
   */
  public static WorkerJvm start(
      String what, List<String> command, Path errors, Map<String, String> environment)
      throws DiedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    complete(builder.environment(), environment);
    try {
      return new WorkerJvm(what, builder.start(), errors);
    } catch (IOException e) {
      throw new DiedException(
          new Failure(
              "the JVM of %s could not be run: %s".formatted(what, FailureWords.of(e)),
              Optional.empty(),
              List.of()));
    }
  }

  /** Not even a part of a login may go to a JVM that is to have none. */
  public static void complete(Map<String, String> inherited, Map<String, String> more) {
    inherited.remove("WEIR_TARGET_USER");
    inherited.remove("WEIR_TARGET_PASSWORD");
    inherited.putAll(more);
  }

  /** Sends a line. */
  public void tell(String line) throws DiedException, InterruptedException {
    try {
      input.write(line + "\n");
      input.flush();
    } catch (IOException e) {
      throw died();
    }
  }

  /** Waits for an answer of this kind. */
  public <T> T await(Class<?> answers, Class<T> expected)
      throws DiedException, InterruptedException {
    for (Optional<String> line = said.take(); line.isPresent(); line = said.take()) {
      Optional<?> answer = parse(line.get(), answers);
      if (answer.isPresent()) {
        return expected.cast(answer.get());
      }
      keep(line.get());
    }
    said.add(Optional.empty()); // for the next call
    throw died();
  }

  /** Runs {@code action} when it has ended, on another thread. */
  public void onExit(Runnable action) {
    process.onExit().thenRun(action);
  }

  /** Asks it to end with what it has. */
  public void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
  }

  /** Asks it to end with what it has, and kills it if it has not done so within a minute. */
  public void stop() {
    endInput();
    killLater();
  }

  /** Kills it if it still runs in a minute. */
  public void killLater() {
    killAfter(STOPPING_SECONDS);
  }

  /** Ends it at once, with the JVM that it started if it is a script. */
  public void kill() {
    if (process.isAlive()) {
      List<ProcessHandle> children = process.descendants().toList(); // later they have no parent
      // First, for a script may act on the end of its child. That of Process closes its output.
      process.toHandle().destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private CompletableFuture<Void> killAfter(int seconds) {
    return process
        .onExit()
        .completeOnTimeout(process, seconds, TimeUnit.SECONDS)
        .thenRun(this::kill);
  }

  private DiedException died() throws InterruptedException {
    int exitCode = process.waitFor();
    reader.join(READING_THE_REST);
    synchronized (lastOutput) {
      if (exitCode == Worker.DISK_FULL && !lastOutput.isEmpty()) {
        return new DiedException(
            new Failure(lastOutput.getLast(), Optional.of(exitCode), List.of()));
      }
    }
    String how =
        exitCode > SIGNALLED
            ? "was ended by signal " + (exitCode - SIGNALLED)
            : "ended with exit code " + exitCode;
    return new DiedException(
        new Failure("the JVM of %s %s".formatted(what, how), Optional.of(exitCode), lines()));
  }

  private List<String> lines() {
    try {
      List<String> lines = new ArrayList<>();
      synchronized (lastOutput) {
        lines.addAll(lastOutput);
      }
      lines.addAll(Files.readAllLines(errors, StandardCharsets.ISO_8859_1));
      return List.copyOf(lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    } catch (IOException e) {
      return List.of("(its standard error cannot be read: " + e + ")");
    }
  }

  private static Optional<?> parse(String line, Class<?> type) {
    try {
      return Optional.of(RunJson.ofLine(line, type));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Ends its input, waits a little while it closes its files, and kills it if it still runs. */
  @Override
  public void close() {
    endInput();
    killAfter(ENDING_SECONDS).join();
    process.onExit().join();
  }
}
