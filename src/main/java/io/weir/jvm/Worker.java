package io.weir.jvm;

import io.weir.run.FailureWords;
import io.weir.run.RunJson;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * This JVM as the worker of an experiment: it reads a task from a file, tells how far it is, and
 * leaves an answer in a file.
 *
 * <p>It stops early, with what it has, when its standard input ends (because the experiment asks
 * for that or is gone) and when the keyboard interrupts it together with the experiment. With exit
 * code 0 the answer is written; with any other it is not. With {@link #DISK_FULL} the last line of
 * standard output says why, with others standard error.
 *
 * <p><b>Threads:</b> any; {@link #onStop} from the one that does the task.
 */
public final class Worker {

  /** The exit code of a JVM that a full disk has ended: the kernel's number for that. */
  public static final int DISK_FULL = 28;

  private static final long STOPPING_SECONDS = 20;

  /** Silences Lucene's note on vector instructions; held here, or the level would be lost. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private final PrintStream protocol;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private volatile Runnable whenStopped = () -> {};
  private volatile Path[] places = {};

  private Worker(PrintStream protocol) {
    this.protocol = protocol;
  }

  /**
   * What a worker does.
   *
   * @param <T> the task
   */
  @FunctionalInterface
  public interface Job<T> {

    /** Does a task and returns its answer, a record; early when the process is stopped. */
    Object run(T task, Worker process) throws Exception;
  }

  /**
   * Does the task and ends this JVM.
   *
   * @param arguments of {@code main}: the file of the task, and the file for the answer
   */
  public static <T> void run(String[] arguments, Class<T> type, Job<T> job) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // digits that a page can use
    LUCENE.setLevel(Level.SEVERE);
    Worker process = new Worker(System.out);
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> process.stopAndAwait(main)));
    Thread.ofPlatform().daemon().name("weir-stdin").start(process::stopWhenInputEnds);
    Path answer = Path.of(arguments[1]);
    process.writesTo(answer);
    try {
      T task = RunJson.read(Path.of(arguments[0]), type);
      RunJson.write(answer, job.run(task, process));
    } catch (Throwable t) {
      fail(t, process.places);
    }
    // Also reached while an interrupt shuts the JVM down: the hook then waits for this thread, so
    // this sets the exit code.
    Runtime.getRuntime().halt(0);
  }

  /**
   * Ends this JVM because of a failure, and says what it was. A full disk is no fault of ours, and
   * needs no stack trace; WEIR_STACKTRACE asks for one.
   *
   * @param places where it wrote
   */
  public static void fail(Throwable failure, Path... places) {
    Optional<String> full = FailureWords.fullDisk(failure, places);
    if (full.isEmpty() || System.getenv("WEIR_STACKTRACE") != null) {
      failure.printStackTrace();
    }
    if (full.isPresent()) { // on a pipe, for a file may be on that disk
      System.out.println(full.get());
      System.out.flush();
      Runtime.getRuntime().halt(DISK_FULL);
    }
    // Once more in short: the experiment shows the last lines, and a trace has its cause on top.
    Stream.iterate(
            Optional.of(failure), Optional::isPresent, cause -> cause.map(Throwable::getCause))
        .forEach(cause -> System.err.println(cause.get()));
    Runtime.getRuntime().halt(1);
  }

  /** Where the task writes, besides its answer; for the message if a disk is full. */
  public void writesTo(Path... more) {
    places = Stream.concat(Stream.of(more), Stream.of(places)).toArray(Path[]::new);
  }

  /** Says how far the task is. */
  public void tell(String stage, OptionalDouble fraction, String detail) {
    protocol.println(RunJson.line(new WorkerProgress(stage, fraction, detail)));
    protocol.flush();
  }

  /** Whether the task is to end with what it has. */
  public boolean stopped() {
    return stopped.get();
  }

  /** Runs {@code action} when this is stopped, at once if it is stopped already. */
  public void onStop(Runnable action) {
    whenStopped = action;
    if (stopped.get()) {
      action.run();
    }
  }

  private void stopWhenInputEnds() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent; only the end has a meaning.
      }
    } catch (IOException e) {
      // The same as an end.
    }
    stop();
  }

  private void stop() {
    stopped.set(true);
    whenStopped.run();
  }

  private void stopAndAwait(Thread main) {
    stop();
    try {
      main.join(Duration.ofSeconds(STOPPING_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
