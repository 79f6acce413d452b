package io.weir.jvm;

import io.weir.jvm.WorkerLine.Kind;
import io.weir.run.FailureWords;
import io.weir.time.DaemonThreads;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * This JVM as a worker of the one that started it, by {@link WorkerJvm}: it reads its task, says
 * how far it is, and answers.
 *
 * <p>It stops early, with what it has, when its standard input ends: the run asks for that, or is
 * gone. With exit code 0 it has answered; with any other it has not. With {@link #DISK_FULL} its
 * last line says why, otherwise its standard error.
 *
 * <p><b>Threads:</b> any; {@link #onStop} and {@link #next} from the one that does the task.
 */
public final class Worker {

  /** The exit code of a JVM that a full disk has ended: the kernel's number for that. */
  public static final int DISK_FULL = 28;

  private static final Duration MOST_STOPPING = Duration.ofSeconds(60);

  /** How often it looks whether it is over, while it waits for a command. */
  private static final long LOOK_MILLIS = 100;

  /** Silences Lucene's note on vector instructions; held here, or the level would be lost. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private final OutputStream pipe = new FileOutputStream(FileDescriptor.out); // guarded by this
  private final BlockingQueue<Optional<String>> commands = new LinkedBlockingQueue<>();
  private volatile boolean stopped;
  private volatile Runnable whenStopped = () -> {};
  private volatile Path[] places = {};

  private Worker() {}

  /**
   * What a worker does.
   *
   * @param <T> the task
   */
  @FunctionalInterface
  public interface Job<T> {

    /** Does a task and returns its answer, a record; early when the worker is stopped. */
    Object run(T task, Worker worker) throws Exception;
  }

  /**
   * Does the task and ends this JVM. An interrupt from the keyboard, which reaches it together with
   * the run, stops it too.
   *
   * @param task its record, or the sealed interface of all records that it may be
   */
  public static <T> void run(Class<T> task, Job<T> job) {
    Worker worker = new Worker();
    worker.run(task, job, worker::stop);
  }

  /**
   * The same for a worker that takes {@link #next commands}. An interrupt from the keyboard alone
   * does not stop it: the run does, when it has asked the last.
   */
  public static <T> void serve(Class<T> task, Job<T> job) {
    new Worker().run(task, job, () -> {});
  }

  private <T> void run(Class<T> type, Job<T> job, Runnable onSignal) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // digits that a page can use
    LUCENE.setLevel(Level.SEVERE);
    Thread main = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  onSignal.run();
                  join(main);
                }));
    try {
      BufferedReader input =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String task = input.readLine();
      if (task == null) {
        throw new EOFException("the run was gone before it said what to do");
      }
      DaemonThreads.unstarted("weir-input", () -> read(input)).start();
      say(Kind.ANSWER, job.run(WorkerLine.read(task, type), this));
    } catch (Throwable t) {
      fail(t);
    }
    // Also reached while an interrupt shuts the JVM down: the hook then waits for this thread, so
    // this sets the exit code.
    Runtime.getRuntime().halt(0);
  }

  private static void join(Thread main) {
    try {
      main.join(MOST_STOPPING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Hands on each command, and an empty one for the end. */
  private void read(BufferedReader input) {
    try {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        commands.add(Optional.of(line));
      }
    } catch (IOException e) {
      // The same as an end.
    }
    commands.add(Optional.empty());
    stop();
  }

  private void stop() {
    stopped = true;
    whenStopped.run();
  }

  /**
   * Ends this JVM because of a failure, and says what it was. A full disk is no fault of ours, and
   * needs no stack trace; WEIR_STACKTRACE asks for one.
   */
  public void fail(Throwable failure) {
    Optional<String> full = FailureWords.fullDisk(failure, places);
    if (full.isEmpty() || System.getenv("WEIR_STACKTRACE") != null) {
      failure.printStackTrace();
    }
    if (full.isPresent()) { // on the pipe, for the file of the errors may be on that disk
      say(Kind.FULL, new WorkerJvm.Full(full.get()));
      Runtime.getRuntime().halt(DISK_FULL);
    }
    // Once more in short: the run shows the last lines, and a trace has its cause on top.
    Stream.iterate(
            Optional.of(failure), Optional::isPresent, cause -> cause.map(Throwable::getCause))
        .forEach(cause -> System.err.println(cause.get()));
    Runtime.getRuntime().halt(1);
  }

  /** Where the task writes, for the message if a disk is full. */
  public void writesTo(Path... more) {
    places = Stream.concat(Stream.of(more), Stream.of(places)).toArray(Path[]::new);
  }

  /** Says how far the task is; see {@link WorkerJvm.Progress}. */
  public void progress(String stage, OptionalDouble fraction, String detail) {
    say(Kind.PROGRESS, new WorkerJvm.Progress(stage, fraction, detail));
  }

  /** Says something that the run waits for. */
  public void say(Object message) {
    say(Kind.MESSAGE, message);
  }

  private synchronized void say(Kind kind, Object record) {
    try {
      WorkerLine.of(kind, record).writeTo(pipe);
    } catch (IOException e) {
      // The run is gone, and so the input ends.
    }
  }

  /** Whether the task is to end with what it has. */
  public boolean stopped() {
    return stopped;
  }

  /** Runs {@code action} when this is stopped, at once if it is stopped already. */
  public void onStop(Runnable action) {
    whenStopped = action;
    if (stopped) {
      action.run();
    }
  }

  /**
   * Waits for the next command; empty when the run has no more.
   *
   * @param type of a command, or the sealed interface of all records that it may be
   * @param over whether to wait no longer; asked again and again
   */
  public <C> Optional<C> next(Class<C> type, BooleanSupplier over)
      throws IOException, InterruptedException {
    Optional<String> line = null;
    while (line == null && !over.getAsBoolean()) {
      line = commands.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
    return line == null || line.isEmpty()
        ? Optional.empty()
        : Optional.of(WorkerLine.read(line.get(), type));
  }
}
