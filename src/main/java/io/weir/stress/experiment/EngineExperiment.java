package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.procfs.Procfs;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineArmRun;
import io.weir.stress.engine.EngineQueries;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.worker.WorkerTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * One run on a search engine: checks, fills the index or takes one that is there, and runs the arms
 * one after another, each under the load of a JVM of its own.
 *
 * <p>The result is written after each arm, so the arms that have ended are safe whatever happens
 * later.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #cancel} from any thread. <b>Ownership:</b> workers,
 * servers, copies of the index and scratch files are gone when {@link #run} returns or throws.
 */
public final class EngineExperiment implements StressRun {

  private static final String SCRATCH = ".work";

  private final StressPlan plan;
  private final ArmQueue arms;
  private final Procfs procfs;
  private final ExperimentListener listener;
  private final RunFiles files;
  private final RunRecord record;
  private final Workers workers;
  private final EngineIndexSource source;
  private volatile boolean cancelled;

  /**
   * A run that has not begun.
   *
   * @param version of Weir, for the record
   * @param command as the user gave it, for the record
   * @param procfs where the machine is described
   */
  public EngineExperiment(
      EnginePlan plan,
      String version,
      List<String> command,
      Procfs procfs,
      ExperimentListener listener) {
    this.plan = plan.run();
    this.arms = plan.run().queue();
    this.procfs = procfs;
    this.listener = listener;
    this.workers = new Workers(listener, plan.run().out().resolve(SCRATCH));
    this.files = new RunFiles(plan.run().out());
    this.record = new RunRecord(plan.run(), arms, version, command, procfs);
    this.source =
        switch (plan.site()) {
          case EngineSite.OwnServers own -> new OwnServerSource(plan, own, workers, files);
          case EngineSite.RunningCluster cluster -> new ClusterSource(plan, cluster, workers);
        };
  }

  @Override
  public RunFiles files() {
    return files;
  }

  @Override
  public void cancel() {
    cancelled = true;
    workers.stop();
  }

  /** Checks all that {@link #run} checks before it begins; says what it would do. */
  public String forecast() throws StressException, IOException {
    check();
    return "index   %s%narms    %s%nrounds  %d%n"
        .formatted(
            source.forecast(),
            plan.arms().stream().map(Arm::name).collect(Collectors.joining("; ")),
            plan.rounds());
  }

  private RunQueries check() throws StressException, IOException {
    Preflight.requireEmptyOut(plan.out());
    DocumentSource documents = Preflight.requireDocuments(plan);
    RunQueries queries = RunQueries.check(plan.queries());
    source.check(documents);
    return queries;
  }

  @Override
  public RunResult run() throws StressException, IOException, InterruptedException {
    RunQueries queries = check();
    for (RunWarning warning : Preflight.missing(procfs)) {
      record.add(warning);
      listener.warning(warning);
    }
    FreshDirectory out = Preflight.make("--out", plan.out());
    Path scratch = workers.scratch();
    try {
      listener.progress("machine", "looking how quiet it is", OptionalDouble.empty(), "");
      record.add(Preflight.requireQuiet(plan, procfs));
      Files.createDirectory(scratch);
      listener.progress("index", "preparing the engine", OptionalDouble.empty(), "");
      long documents = source.make();
      if (!cancelled) {
        queries.settle(workers, files.queriesText(), this::draw).ifPresent(record::add);
        runArms(documents);
      }
      return write(documents);
    } finally {
      IndexCopy.deleteTree(scratch);
      out.close();
    }
  }

  private boolean draw(Path file) throws IOException {
    Files.write(file, EngineQueries.draw(plan.documents()));
    return true;
  }

  private void runArms(long documents) throws IOException, InterruptedException {
    ArmWorkers armWorkers = new ArmWorkers(workers, files, workers.scratch());
    for (Optional<ArmQueue.Turn> next = arms.next(record.results());
        next.isPresent() && !cancelled;
        next = arms.next(record.results())) {
      ArmQueue.Turn turn = next.get();
      int step = record.results().size() + 1;
      try {
        EngineAccess access = source.access(turn, step);
        ArmResult result =
            armWorkers.run(turn, WorkerJvm.SAME, outputs -> task(turn, access, documents, outputs));
        record.add(result);
        listener.armEnded(result);
      } finally {
        source.ended(step);
      }
      write(documents);
      if (plan.strict() && !record.cacheAsAsked()) {
        return; // the arms that have run are kept; the others would not be comparable
      }
    }
  }

  private WorkerTask task(
      ArmQueue.Turn turn, EngineAccess access, long documents, ArmRun.Outputs outputs) {
    Arm arm = turn.arm();
    return new WorkerTask.RunEngineArm(
        new EngineArmRun.Setup(
            arm.name(),
            turn.round(),
            arm.settings(),
            access,
            plan.documents(),
            documents,
            files.queriesText().toAbsolutePath(),
            plan.out().toAbsolutePath(),
            plan.slowReopenOver(),
            outputs));
  }

  private RunResult write(long documents) throws IOException {
    return record.write(
        files, Preflight.nearestExisting(source.place()), documents, source.facts(), cancelled);
  }
}
