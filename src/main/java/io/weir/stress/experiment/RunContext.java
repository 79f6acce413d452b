package io.weir.stress.experiment;

import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.jvm.Workers;
import io.weir.run.Failure;
import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import io.weir.stress.worker.StressMain;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What an {@link IndexSource} needs of its run.
 *
 * @param warnings hears what a reader of the result must know
 */
record RunContext(
    Workers workers, RunFiles files, ExperimentListener listener, Consumer<RunWarning> warnings) {

  /**
   * Does a task, without which the run cannot go on, in a worker.
   *
   * @param step of the run, for its listener
   * @param doing the task, for the message: {@code building the index}
   * @return the answer; empty when there is none because the run was stopped
   * @throws StressException when the worker failed
   */
  <A> Optional<A> run(String step, StressMain.Task task, Class<A> answer, String doing)
      throws StressException, InterruptedException {
    try {
      return Optional.of(workers.run(step, JvmCommand.SAME, StressMain.class, task, answer));
    } catch (DiedException e) {
      if (workers.stopped()) {
        return Optional.empty();
      }
      Failure failure = e.failure();
      throw new StressException(
          StressException.Kind.BROKEN,
          failure.lastLines().isEmpty()
              ? "%s failed: %s".formatted(doing, failure.reason())
              : "%s failed, %s:%n%s"
                  .formatted(doing, failure.reason(), String.join("\n", failure.lastLines())));
    }
  }
}
