package io.weir.stress.experiment;

import io.weir.jvm.JvmCommand;
import io.weir.run.Failure;
import io.weir.run.FailureWords;
import io.weir.stress.worker.StressMain;
import io.weir.stress.worker.StressTask;
import io.weir.stress.worker.WorkerAnswer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The workers of one run, one after another.
 *
 * <p><b>Threads:</b> {@link #run} from one; {@link #stop} from any.
 */
public final class Workers {

  private final ExperimentListener listener;
  private final Path scratch;
  private final Map<String, String> environment;
  private volatile boolean stopped;
  private volatile Optional<Worker> worker = Optional.empty();

  /**
   * No worker yet.
   *
   * @param listener follows their progress
   * @param scratch a directory for their files
   * @param environment variables that they have besides those of this process
   */
  public Workers(ExperimentListener listener, Path scratch, Map<String, String> environment) {
    this.listener = listener;
    this.scratch = scratch;
    this.environment = environment;
  }

  /** A directory for files of a worker. */
  public Path scratch() {
    return scratch;
  }

  /** Stops the one that runs, and every later one as soon as it starts. */
  public void stop() {
    stopped = true;
    worker.ifPresent(Worker::stop);
  }

  /** Whether {@link #stop} was called. */
  public boolean stopped() {
    return stopped;
  }

  /** Runs one worker of a stress run to its end. */
  WorkerEnd run(String step, JvmCommand jvm, StressTask task) throws InterruptedException {
    return run(step, jvm, new Worker.Entry(StressMain.class, WorkerAnswer.class), task);
  }

  /**
   * Runs one worker of any kind to its end.
   *
   * @param step what it does, for the listener
   * @param main its main class, which hands its arguments to {@link io.weir.jvm.Worker}
   * @param task a record
   * @param answer the record that {@link WorkerEnd.Answered} holds
   */
  public WorkerEnd run(String step, JvmCommand jvm, Class<?> main, Object task, Class<?> answer)
      throws InterruptedException {
    return run(step, jvm, new Worker.Entry(main, answer), task);
  }

  private WorkerEnd run(String step, JvmCommand jvm, Worker.Entry entry, Object task)
      throws InterruptedException {
    try (Worker started = Worker.start(jvm, entry, task, scratch, environment)) {
      worker = Optional.of(started);
      if (stopped) {
        started.stop();
      }
      return started.await(p -> listener.progress(step, p.stage(), p.fraction(), p.detail()));
    } catch (IOException e) {
      return new WorkerEnd.Failed(
          new Failure(
              "its JVM could not be run: " + FailureWords.of(e), Optional.empty(), List.of()));
    } finally {
      worker = Optional.empty();
    }
  }
}
