package io.weir.stress.experiment;

import io.weir.stress.result.ArmFailure;
import io.weir.stress.worker.WorkerTask;
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
final class Workers {

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
  Workers(ExperimentListener listener, Path scratch, Map<String, String> environment) {
    this.listener = listener;
    this.scratch = scratch;
    this.environment = environment;
  }

  /** A directory for files of a worker. */
  Path scratch() {
    return scratch;
  }

  /** Stops the one that runs, and every later one as soon as it starts. */
  void stop() {
    stopped = true;
    worker.ifPresent(Worker::stop);
  }

  boolean stopped() {
    return stopped;
  }

  /** Runs one worker to its end. */
  WorkerEnd run(String step, WorkerJvm jvm, WorkerTask task) throws InterruptedException {
    try (Worker started = Worker.start(jvm, task, scratch, environment)) {
      worker = Optional.of(started);
      if (stopped) {
        started.stop();
      }
      return started.await(p -> listener.progress(step, p.stage(), p.fraction(), p.detail()));
    } catch (IOException e) {
      return new WorkerEnd.Failed(
          new ArmFailure(
              "its JVM could not be run: " + e.getMessage(), Optional.empty(), List.of()));
    } finally {
      worker = Optional.empty();
    }
  }
}
