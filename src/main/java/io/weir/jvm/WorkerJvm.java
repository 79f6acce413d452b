package io.weir.jvm;

import io.weir.run.Failure;
import io.weir.run.FailureWords;
import io.weir.time.DaemonThreads;
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
import java.util.OptionalDouble;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM that does one task for this one, as it is seen from here; {@link Worker} is its inside. The
 * task is the first line of its input, commands are the others. Its standard output holds its
 * progress, its messages and last its answer, each a {@link WorkerLine}.
 *
 * <p>The end of its input ends it, so it also ends when this process is killed. Its standard error
 * goes to a file. Its standard output is always read: a JVM that logs there stands still, in a
 * safepoint even, when the pipe is full.
 *
 * <p><b>Threads:</b> {@link #tell}, {@link #await} and {@link #answer} from one; what ends it from
 * any. <b>Ownership:</b> {@link #close} ends it. <b>Failure:</b> {@link DiedException} when it is
 * gone.
 */
public final class WorkerJvm implements Closeable {

  private static final int LAST_LINES = 20;
  private static final int SIGNALLED = 128;
  private static final int STOPPING_SECONDS = 60;
  private static final Duration CLOSING = Duration.ofSeconds(20);
  private static final Duration READING_THE_REST = Duration.ofSeconds(5);

  /** What these begin with is the login of a target; only who is given one has it. */
  private static final String LOGIN_VARIABLES = "WEIR_TARGET_";

  /**
   * How far a worker is.
   *
   * @param stage what it does now, in a word or two
   * @param fraction the share of it that is done, from 0 to 1; empty where it is unknown
   * @param detail the current figures, for people
   */
  public record Progress(String stage, OptionalDouble fraction, String detail) {}

  /** Why there is no answer: a disk is full. */
  record Full(String reason) {}

  /** A worker could not be run, crashed, or left no answer. */
  public static final class DiedException extends Exception {

    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    private DiedException(Failure failure) {
      super(failure.reason());
      this.failure = failure;
    }

    /** How it ended, and what it said last. */
    public Failure failure() {
      return failure;
    }
  }

  private final String what;
  private final Process process;
  private final BufferedWriter input;
  private final Path errors;
  private final BlockingQueue<Optional<WorkerLine>> said = new LinkedBlockingQueue<>();
  private final Deque<String> lastOutput = new ArrayDeque<>(); // guarded by itself
  private volatile Optional<Full> full = Optional.empty();
  private final Thread reader;

  private WorkerJvm(String what, Process process, Path errors) {
    this.what = what;
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    this.errors = errors;
    this.reader = DaemonThreads.unstarted("weir-lines", this::read);
    reader.start();
  }

  /**
   * Starts one.
   *
   * @param what it is, for messages: {@code the JVM of the server}
   * @param main its main class, which hands its task to {@link Worker}
   * @param task a record
   * @param errors the file for its standard error
   * @param login the variables of the target's login, if it is to have one
   */
  public static WorkerJvm start(
      String what,
      JvmCommand jvm,
      Class<?> main,
      Object task,
      Path errors,
      Map<String, String> login)
      throws DiedException {
    ProcessBuilder builder = new ProcessBuilder(jvm.of(main)).redirectError(errors.toFile());
    complete(builder.environment(), login);
    WorkerJvm started;
    try {
      started = new WorkerJvm(what, builder.start(), errors);
    } catch (IOException e) {
      throw new DiedException(
          new Failure(
              "%s could not be run: %s".formatted(what, FailureWords.of(e)),
              Optional.empty(),
              List.of()));
    }
    try {
      started.write(task);
    } catch (IOException e) {
      // It has ended already; who waits for it hears how.
    }
    return started;
  }

  /** Not even a part of a login may go to a JVM that is to have none. */
  static void complete(Map<String, String> inherited, Map<String, String> login) {
    inherited.keySet().removeIf(name -> name.startsWith(LOGIN_VARIABLES));
    inherited.putAll(login);
  }

  /** Sorts its lines until its output ends, for which there is an empty one. */
  private void read() {
    WorkerLine.Finder lines = new WorkerLine.Finder();
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (!WorkerLine.Finder.isWorkers(line)) {
          keep(line);
          continue;
        }
        Optional<WorkerLine> whole = lines.add(line);
        if (whole.isPresent() && whole.get().kind() == WorkerLine.Kind.FULL) {
          full = Optional.of(WorkerLine.read(whole.get().text(), Full.class));
        } else if (whole.isPresent()) {
          said.add(whole);
        }
      }
    } catch (IOException e) {
      // The same as an end.
    }
    said.add(Optional.empty());
  }

  /** A line of a library, or of the JVM itself, which reports a bad heap size here. */
  private void keep(String line) {
    synchronized (lastOutput) {
      if (!line.isEmpty()) {
        lastOutput.addLast(line);
      }
      if (lastOutput.size() > LAST_LINES) {
        lastOutput.removeFirst();
      }
    }
  }

  /** Sends a command, a record or a constant. */
  public void tell(Object command) throws DiedException, InterruptedException {
    try {
      write(command);
    } catch (IOException e) {
      throw died();
    }
  }

  private void write(Object record) throws IOException {
    input.write(WorkerLine.text(record) + "\n");
    input.flush();
  }

  /** Waits for its next message, which is of this type. */
  public <M> M await(Class<M> message) throws DiedException, InterruptedException {
    Optional<M> next = next(WorkerLine.Kind.MESSAGE, message, progress -> {});
    if (next.isEmpty()) {
      throw died();
    }
    return next.get();
  }

  /**
   * Waits until it has done its task.
   *
   * @param answer the record that answers it
   * @param listener hears how far it is, on this thread
   */
  public <A> A answer(Class<A> answer, Consumer<Progress> listener)
      throws DiedException, InterruptedException {
    Optional<A> last = next(WorkerLine.Kind.ANSWER, answer, listener);
    if (last.isEmpty() || process.waitFor() != 0) {
      throw died();
    }
    return last.get();
  }

  /** Its next line of a kind, past those that come before; empty when it says no more. */
  private <T> Optional<T> next(WorkerLine.Kind kind, Class<T> type, Consumer<Progress> listener)
      throws InterruptedException {
    for (Optional<WorkerLine> line = said.take(); line.isPresent(); line = said.take()) {
      try {
        if (line.get().kind() == WorkerLine.Kind.PROGRESS) {
          listener.accept(WorkerLine.read(line.get().text(), Progress.class));
        } else if (line.get().kind() == kind) {
          return Optional.of(WorkerLine.read(line.get().text(), type));
        }
      } catch (IOException e) {
        keep(line.get().text()); // cut off: it died there
      }
    }
    said.add(Optional.empty()); // for the next call
    return Optional.empty();
  }

  /** Runs {@code action} when it has ended, on another thread. */
  public void onExit(Runnable action) {
    process.onExit().thenRun(action);
  }

  /** Asks it to end with what it has, and kills it if it has not done so within a minute. */
  public void stop() {
    killLater();
    endInput();
  }

  /** Kills it if it still runs in a minute. */
  public void killLater() {
    killAfter(Duration.ofSeconds(STOPPING_SECONDS));
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

  private CompletableFuture<Void> killAfter(Duration time) {
    return process
        .onExit()
        .completeOnTimeout(process, time.toMillis(), TimeUnit.MILLISECONDS)
        .thenRun(this::kill);
  }

  private void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
  }

  private DiedException died() throws InterruptedException {
    int exitCode = process.waitFor();
    reader.join(READING_THE_REST);
    if (full.isPresent()) {
      return new DiedException(new Failure(full.get().reason(), Optional.of(exitCode), List.of()));
    }
    String how =
        exitCode > SIGNALLED
            ? "was ended by signal " + (exitCode - SIGNALLED)
            : "ended with exit code " + exitCode;
    return new DiedException(
        new Failure("%s %s".formatted(what, how), Optional.of(exitCode), lastLines()));
  }

  private List<String> lastLines() {
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

  /** Ends its input, waits a little while it closes its files, and kills it if it still runs. */
  @Override
  public void close() {
    close(CLOSING);
  }

  /** The same, with another time to wait. */
  void close(Duration most) {
    endInput();
    killAfter(most).join();
    process.onExit().join();
  }
}
