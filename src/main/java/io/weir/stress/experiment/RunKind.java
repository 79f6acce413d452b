package io.weir.stress.experiment;

import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.jvm.Workers;
import io.weir.procfs.Procfs;
import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import io.weir.run.SloResult;
import io.weir.run.SweepResult;
import io.weir.run.Values;
import io.weir.stress.worker.StressMain;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What one kind of run does that others do not. All that they share is {@link Experiment}'s. There
 * are six methods; a kind that needs more keeps code of its own.
 *
 * <p><b>Threads:</b> one, which calls the methods in their order here; {@link #account} and {@link
 * #place} come again and again after {@link #make}. <b>Ownership:</b> {@link #close} deletes and
 * releases what {@link #make} made; it is called whether or not that came to its end.
 * <b>Failure:</b> {@link StressException} for a run that cannot begin or go on.
 *
 * @param <F> what {@link #check} finds out about the run to come
 */
public interface RunKind<F> extends Closeable {

  /**
   * A run that has not begun.
   *
   * @param kind which command made it
   * @param out the run directory
   * @param strict whether a noisy machine is refused
   * @param environment variables that its workers have besides those of this process
   * @param on makes what is special about it
   */
  record Planned<F>(
      Run.Kind kind,
      Path out,
      boolean strict,
      Map<String, String> environment,
      Function<Ground, RunKind<F>> on) {}

  /**
   * What a run stands on, and how it is heard.
   *
   * @param workers JVMs for its tasks; {@link Workers#stopped} once the run is cancelled
   * @param warnings hears what a reader of the result must know
   * @param atCancel takes what to do, on another thread, to end the run early
   */
  record Ground(
      RunFiles files,
      Workers workers,
      ExperimentListener listener,
      Procfs procfs,
      Consumer<RunWarning> warnings,
      Consumer<Runnable> atCancel) {

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

  /** One arm or cell of one round, not yet run. */
  interface Trial {

    /** Runs it to its end. One that fails is a result as well. */
    Part run() throws IOException, InterruptedException;
  }

  /**
   * What the result says besides what it says of every run.
   *
   * @param workload what every part was asked to do
   * @param values of the whole run
   * @param parts the results in the order of the file
   * @param warnings about all results together
   * @param slos empty while the run is unfinished
   */
  record Account(
      Map<String, String> workload,
      Values values,
      List<Part> parts,
      List<RunWarning> warnings,
      List<SloResult> slos,
      Optional<SweepResult> sweep) {

    /** Of a run without objectives. */
    public Account(Map<String, String> workload, Values values, List<Part> parts) {
      this(workload, values, List.copyOf(parts), List.of(), List.of(), Optional.empty());
    }
  }

  /** Refuses what cannot work, and creates nothing. */
  F check() throws StressException, IOException, InterruptedException;

  /** Where this run works, once it is checked: the disk of its indexes. */
  Path place();

  /** Makes what all trials start from; stops early when the run is cancelled. */
  void make() throws StressException, IOException, InterruptedException;

  /**
   * What to run now; empty when the run is done.
   *
   * @param results of all that ran, in that order
   */
  Optional<Trial> next(List<Part> results) throws IOException;

  /**
   * What the result says.
   *
   * @param interrupted whether the run was stopped or has not ended
   */
  Account account(List<Part> results, boolean interrupted) throws IOException;
}
