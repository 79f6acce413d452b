package io.weir.stress.experiment;

import io.weir.stress.result.ArmFailure;
import io.weir.stress.worker.WorkerTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The workers of one run, one after another.
 *
 * <p><b>Threads:</b> {@link #run} from one; {@link #stop} from any.
 */
final class Workers {

  private final ExperimentListener listener;
  private volatile boolean stopped;
  private volatile Worker worker;

  /** Their progress is told to {@code listener}. */
  Workers(ExperimentListener listener) {
    this.listener = listener;
  }

  /** Stops the one that runs, and every later one as soon as it has begun. */
  void stop() {
    stopped = true;
    Worker running = worker;
    if (running != null) {
      running.stop();
    }
  }

  boolean stopped() {
    return stopped;
  }

  /** Runs one worker to its end; null when it has left its answer. */
  ArmFailure run(String step, String java, List<String> jvmArguments, WorkerTask task, Path scratch)
      throws InterruptedException {
    try (Worker started = Worker.start(java, jvmArguments, task, scratch)) {
      worker = started;
      if (stopped) {
        started.stop();
      }
      int exitCode =
          started.await(p -> listener.progress(step, p.stage(), p.fraction(), p.detail()));
      return exitCode == 0 && Files.exists(task.result()) ? null : started.failure(exitCode);
    } catch (IOException e) {
      return new ArmFailure("its JVM could not be run: " + e.getMessage(), null, List.of());
    } finally {
      worker = null;
    }
  }
}
