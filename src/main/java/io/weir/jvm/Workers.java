package io.weir.jvm;

import io.weir.jvm.WorkerJvm.DiedException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The workers of one run, one after another.
 *
 * <p><b>Threads:</b> {@link #run} from one; {@link #stop} from any.
 */
public final class Workers {

  /** Follows them; called on the thread of {@link Workers#run}. */
  @FunctionalInterface
  public interface Listener {

    /**
     * How far a worker is; see {@link WorkerJvm.Progress}.
     *
     * @param step of the run
     */
    void progress(String step, String stage, OptionalDouble fraction, String detail);
  }

  private final Listener listener;
  private final Path scratch;
  private final Map<String, String> login;
  private volatile boolean stopped;
  private volatile Optional<WorkerJvm> worker = Optional.empty();

  /**
   * No worker yet.
   *
   * @param scratch a directory for their files
   * @param login the variables of the target's login, if they are to have one
   */
  public Workers(Listener listener, Path scratch, Map<String, String> login) {
    this.listener = listener;
    this.scratch = scratch;
    this.login = login;
  }

  /** A directory for files of a worker. */
  public Path scratch() {
    return scratch;
  }

  /** Stops the one that runs, and every later one as soon as it starts. */
  public void stop() {
    stopped = true;
    worker.ifPresent(WorkerJvm::stop);
  }

  /** Whether {@link #stop} was called. */
  public boolean stopped() {
    return stopped;
  }

  /**
   * Runs one worker to its end, and returns its answer.
   *
   * @param step what it does, for the listener
   * @param main its main class, which hands its task to {@link Worker}
   * @param task a record
   */
  public <A> A run(String step, JvmCommand jvm, Class<?> main, Object task, Class<A> answer)
      throws DiedException, InterruptedException {
    try (WorkerJvm started =
        WorkerJvm.start("its JVM", jvm, main, task, scratch.resolve("stderr.txt"), login)) {
      worker = Optional.of(started);
      if (stopped) {
        started.stop();
      }
      return started.answer(
          answer, p -> listener.progress(step, p.stage(), p.fraction(), p.detail()));
    } finally {
      worker = Optional.empty();
    }
  }
}
