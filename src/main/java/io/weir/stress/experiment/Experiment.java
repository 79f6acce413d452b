package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.jvm.Workers;
import io.weir.procfs.Procfs;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.Login;
import io.weir.stress.plan.StressPlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * One run: checks, makes or takes the indexes, and runs the arms one after another, each in a JVM
 * of its own, on Lucene or under the load of an engine.
 *
 * <p>The result is written after each arm, so the arms that have ended are safe whatever happens
 * later. Until the run has ended, the file says that it was interrupted.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #cancel} from any thread. <b>Ownership:</b> worker
 * JVMs, servers, copies of the index and scratch files are gone when {@link #run} returns or
 * throws.
 *
 * <p><b>Failure:</b> {@link StressException} for a run that cannot begin or continue. An arm that
 * fails is in the result, and the next one runs.
 *
 * @param <F> what {@link #forecast} says
 */
public final class Experiment<F> {

  /**
   * What the result says about a run besides its plan.
   *
   * @param version of Weir
   * @param command as the user gave it
   */
  public record Origin(String version, List<String> command) {}

  private final StressPlan plan;
  private final ArmQueue arms;
  private final Procfs procfs;
  private final ExperimentListener listener;
  private final RunFiles files;
  private final RunRecord record;
  private final Workers workers;
  private final IndexSource<F> source;
  private volatile boolean cancelled;

  /** A run of the arms of {@code plan} on Lucene, which has not begun. */
  public static Experiment<RunForecast> onLucene(
      StressPlan plan, Origin origin, Procfs procfs, ExperimentListener listener) {
    return onLucene(plan, plan.queue(), origin, procfs, listener);
  }

  /**
   * A run on Lucene that decides on its arms as it goes.
   *
   * @param plan its arms decide which indexes are needed
   * @param arms the arms to run; they start from the same indexes as those of {@code plan}
   * @param procfs where the machine is described
   */
  public static Experiment<RunForecast> onLucene(
      StressPlan plan, ArmQueue arms, Origin origin, Procfs procfs, ExperimentListener listener) {
    return new Experiment<>(
        plan,
        arms,
        origin,
        procfs,
        listener,
        Map.of(),
        context -> new LuceneSource(plan, procfs, context));
  }

  /** A run of the arms of {@code plan} on an engine, which has not begun. */
  public static Experiment<EngineForecast> onEngine(
      EnginePlan plan, Origin origin, Procfs procfs, ExperimentListener listener) {
    return switch (plan.site()) {
      case EngineSite.OwnServers own ->
          onEngine(
              plan,
              origin,
              procfs,
              listener,
              Map.of(),
              context -> new OwnServerSource(plan, own, context));
      case EngineSite.RunningCluster cluster ->
          onEngine(
              plan,
              origin,
              procfs,
              listener,
              cluster.login().map(Login::toEnvironment).orElse(Map.of()),
              context -> new ClusterSource(plan, cluster, context));
    };
  }

  private static Experiment<EngineForecast> onEngine(
      EnginePlan plan,
      Origin origin,
      Procfs procfs,
      ExperimentListener listener,
      Map<String, String> environment,
      Function<RunContext, IndexSource<EngineForecast>> source) {
    return new Experiment<>(
        plan.run(), plan.run().queue(), origin, procfs, listener, environment, source);
  }

  private Experiment(
      StressPlan plan,
      ArmQueue arms,
      Origin origin,
      Procfs procfs,
      ExperimentListener listener,
      Map<String, String> environment,
      Function<RunContext, IndexSource<F>> source) {
    this.plan = plan;
    this.arms = arms;
    this.procfs = procfs;
    this.listener = listener;
    this.files = new RunFiles(plan.out());
    this.workers = new Workers(listener::progress, files.scratch(), environment);
    this.record = new RunRecord(plan, arms, origin, procfs);
    this.source = source.apply(new RunContext(workers, files, listener, this::warn));
  }

  /** Where the result is. */
  public RunFiles files() {
    return files;
  }

  /** Ends the run early; {@link #run} then returns the results until now. */
  public void cancel() {
    cancelled = true;
    workers.stop();
  }

  /** Checks all that {@link #run} checks before it begins, and creates nothing. */
  public F forecast() throws StressException, IOException {
    check();
    return source.forecast();
  }

  private RunQueries check() throws StressException, IOException {
    Preflight.requireEmptyOut(plan.out());
    Preflight.requireReachable(plan.telemetry());
    DocumentSource documents = Preflight.requireDocuments(plan.documents(), listener);
    RunQueries queries = RunQueries.check(plan.queries());
    source.check(documents);
    return queries;
  }

  /** Runs all of it. */
  public Run run() throws StressException, IOException, InterruptedException {
    RunQueries queries = check();
    Preflight.missing(procfs).forEach(this::warn);
    RunDirectory out = RunDirectory.claim(plan.out());
    try {
      listener.progress("machine", "measuring background noise", OptionalDouble.empty(), "");
      record.add(Preflight.requireQuiet(plan, procfs));
      long documents = source.make();
      if (!cancelled) {
        queries.settle(workers, files.queriesText(), source::draw).ifPresent(record::add);
        runArms(documents);
      }
      return write(documents, cancelled);
    } catch (IOException e) {
      StressException.throwIfFull(e, plan.out(), source.place());
      throw e;
    } finally {
      source.close();
      out.close();
    }
  }

  private void runArms(long documents) throws IOException, InterruptedException {
    ArmWorkers armWorkers = new ArmWorkers(workers, files);
    for (Optional<ArmQueue.Turn> next = arms.next(record.results());
        next.isPresent() && !cancelled;
        next = arms.next(record.results())) {
      ArmQueue.Turn turn = next.get();
      int step = record.results().size() + 1;
      Part result;
      try (IndexSource.Start start = source.start(turn, step, documents)) {
        result = armWorkers.run(turn, start.jvm(), start.task());
      }
      if (result.status() == Status.INTERRUPTED && !cancelled) {
        warn(
            new RunWarning(
                "arm " + turn.arm().name() + " was stopped before its end",
                "another process stopped its JVM",
                "run it again"));
      }
      record.add(result);
      listener.armEnded(result);
      write(documents, true); // what remains if this process dies
      if (plan.strict() && !record.cacheAsAsked()) {
        return; // the arms that have run are kept; the others would not be comparable
      }
    }
  }

  private Run write(long documents, boolean interrupted) throws IOException {
    return record.write(
        files, Preflight.nearestExisting(source.place()), documents, source.facts(), interrupted);
  }

  private void warn(RunWarning warning) {
    record.add(warning);
    listener.warning(warning);
  }
}
