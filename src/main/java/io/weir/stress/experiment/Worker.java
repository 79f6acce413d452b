package io.weir.stress.experiment;

import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerProgress;
import io.weir.run.Failure;
import io.weir.run.RunJson;
import io.weir.stress.worker.StressMain;
import io.weir.stress.worker.StressTask;
import io.weir.stress.worker.WorkerAnswer;
import java.io.BufferedReader;
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
import java.util.function.Consumer;

/**
 * A JVM of its own for one task.
 *
 * <p>The end of its standard input stops it, so it also stops when this JVM is killed. Its standard
 * error goes to a file.
 *
 * <p><b>Threads:</b> {@link #await} from one; {@link #stop} from any. <b>Failure:</b> {@link
 * #start} throws when the JVM cannot be started; {@link #await} returns {@link WorkerEnd.Failed}
 * when it crashes or leaves no answer.
 */
final class Worker implements AutoCloseable {

  private static final long STOPPING_SECONDS = 60;
  private static final int LAST_LINES = 20;

  private final Process process;
  private final Path answer;
  private final Class<?> answerType;
  private final Path errors;
  private final Deque<String> lastOutput = new ArrayDeque<>(); // of await's thread
  private volatile boolean stopping;

  private Worker(Process process, Path answer, Class<?> answerType, Path errors) {
    this.process = process;
    this.answer = answer;
    this.answerType = answerType;
    this.errors = errors;
  }

  /**
   * Starts one for a task of a stress run.
   *
   * @param scratch a directory for the task, the answer and standard error
   * @param environment variables that it has besides those of this process
   */
  static Worker start(
      JvmCommand jvm, StressTask task, Path scratch, Map<String, String> environment)
      throws IOException {
    return start(jvm, new Entry(StressMain.class, WorkerAnswer.class), task, scratch, environment);
  }

  /**
   * What a worker is started with.
   *
   * @param main its main class, which hands its arguments to {@link io.weir.jvm.Worker}
   * @param answer the record that it leaves
   */
  record Entry(Class<?> main, Class<?> answer) {}

  /** Starts one for a task of any kind. */
  static Worker start(
      JvmCommand jvm, Entry entry, Object task, Path scratch, Map<String, String> environment)
      throws IOException {
    Path taskFile = scratch.resolve("task.json");
    Path answer = scratch.resolve("answer.json");
    Path errors = scratch.resolve("stderr.txt");
    RunJson.write(taskFile, task);
    Files.deleteIfExists(answer);
    ProcessBuilder builder =
        new ProcessBuilder(jvm.command(entry.main(), taskFile, answer))
            .redirectError(errors.toFile());
    builder.environment().putAll(environment);
    return new Worker(builder.start(), answer, entry.answer(), errors);
  }

  /** Reads its standard output until it ends. */
  WorkerEnd await(Consumer<WorkerProgress> listener) throws IOException, InterruptedException {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Optional<WorkerProgress> progress = parse(line);
        if (progress.isPresent()) {
          listener.accept(progress.get());
        } else { // output of a library, or of the JVM itself, which reports a bad heap size here
          lastOutput.addLast(line);
          if (lastOutput.size() > LAST_LINES) {
            lastOutput.removeFirst();
          }
        }
      }
    }
    int exitCode = process.waitFor();
    return exitCode == 0 && Files.exists(answer)
        ? new WorkerEnd.Answered(RunJson.read(answer, answerType))
        : new WorkerEnd.Failed(failure(exitCode));
  }

  /** Asks it to end with what it has, and kills it if it has not done so within a minute. */
  void stop() {
    if (stopping) {
      return;
    }
    stopping = true;
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
    process
        .onExit()
        .completeOnTimeout(process, STOPPING_SECONDS, TimeUnit.SECONDS)
        .thenAccept(Process::destroyForcibly);
  }

  /** Kills it if it still runs, and waits until it is gone. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }

  private Failure failure(int exitCode) {
    if (exitCode == io.weir.jvm.Worker.DISK_FULL && !lastOutput.isEmpty()) {
      return new Failure(lastOutput.getLast(), Optional.of(exitCode), List.of());
    }
    String reason =
        exitCode > 128
            ? "its JVM was ended by signal " + (exitCode - 128)
            : "its JVM ended with exit code " + exitCode;
    return new Failure(reason, Optional.of(exitCode), lastLines());
  }

  /** Empty for a line that is no progress, or only the beginning of one. */
  private static Optional<WorkerProgress> parse(String line) {
    try {
      return line.startsWith("{")
          ? Optional.of(RunJson.ofLine(line, WorkerProgress.class))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private List<String> lastLines() {
    try {
      List<String> lines = new ArrayList<>(lastOutput);
      lines.addAll(Files.readAllLines(errors, StandardCharsets.ISO_8859_1));
      return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    } catch (IOException e) {
      return List.of("(its standard error cannot be read: " + e + ")");
    }
  }
}
