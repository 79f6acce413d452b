package io.weir.stress.experiment;

import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.RunJson;
import io.weir.stress.worker.WorkerMain;
import io.weir.stress.worker.WorkerProgress;
import io.weir.stress.worker.WorkerTask;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM of its own for one task.
 *
 * <p>It is stopped by the end of its standard input, so it also stops when this JVM is killed. What
 * it says on its standard error goes to a file.
 *
 * <p><b>Threads:</b> {@link #await} from one; {@link #stop} from any. <b>Failure:</b> a JVM that
 * cannot be started, crashes or gives no answer is told by {@link #failure}.
 */
final class Worker implements AutoCloseable {

  private static final long STOPPING_SECONDS = 60;
  private static final int LAST_LINES = 20;

  private final Process process;
  private final Path errors;
  private final Deque<String> said = new ArrayDeque<>(); // of await's thread
  private volatile boolean stopping;

  private Worker(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  /**
   * Starts one.
   *
   * @param java the JVM to run; null for the one that runs this
   * @param scratch a directory for the task and what the JVM says
   */
  static Worker start(String java, List<String> jvmArguments, WorkerTask task, Path scratch)
      throws IOException {
    Path taskFile = scratch.resolve("task.json");
    Path errors = scratch.resolve("stderr.txt");
    RunJson.write(taskFile, task);
    List<String> command = new ArrayList<>();
    command.add(
        java != null ? java : Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(jvmArguments);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(WorkerMain.class.getName());
    command.add(taskFile.toString());
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    return new Worker(builder.start(), errors);
  }

  /**
   * Reads what it says until it ends.
   *
   * @return its exit code
   */
  int await(Consumer<WorkerProgress> listener) throws IOException, InterruptedException {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Optional<WorkerProgress> progress = parse(line);
        if (progress.isPresent()) {
          listener.accept(progress.get());
        } else { // a library that talks, or the JVM itself, which complains of its heap here
          said.addLast(line);
          if (said.size() > LAST_LINES) {
            said.removeFirst();
          }
        }
      }
    }
    return process.waitFor();
  }

  /** Asks it to end with what it has, and ends it by force if it does not within a minute. */
  void stop() {
    if (stopping) {
      return;
    }
    stopping = true;
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has gone already.
    }
    process
        .onExit()
        .completeOnTimeout(process, STOPPING_SECONDS, TimeUnit.SECONDS)
        .thenAccept(Process::destroyForcibly);
  }

  /** Ends it now, if it has not ended; when this returns it is gone. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** How it failed, with the last of what it said. */
  ArmFailure failure(int exitCode) {
    String reason =
        exitCode > 128
            ? "its JVM was ended by signal " + (exitCode - 128)
            : "its JVM ended with exit code " + exitCode;
    return new ArmFailure(reason, exitCode, lastLines());
  }

  /** Empty for what is no line of progress, or only the beginning of one. */
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
      List<String> lines = new ArrayList<>(said);
      lines.addAll(Files.readAllLines(errors, StandardCharsets.ISO_8859_1));
      return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    } catch (IOException e) {
      return List.of("(what it said cannot be read: " + e + ")");
    }
  }
}
