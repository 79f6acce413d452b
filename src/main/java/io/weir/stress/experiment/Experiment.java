package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.procfs.Procfs;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.worker.WorkerAnswer;
import io.weir.stress.worker.WorkerTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.lucene.util.IOUtils;

/**
 * One run: checks, builds or takes the indexes, and runs the arms one after another, each in a JVM
 * of its own on its own copy of one of them.
 *
 * <p>The result is written after each arm, so the arms that have ended are safe whatever happens
 * later.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #cancel} from any thread. <b>Ownership:</b> worker
 * JVMs, copies of the index and scratch files are gone when {@link #run} returns or throws.
 *
 * <p><b>Failure:</b> {@link StressException} for a run that cannot begin or continue. An arm that
 * fails is a {@link io.weir.stress.result.FailedArm} in the result, and the next one runs.
 */
public final class Experiment implements StressRun {

  private static final String SCRATCH = ".work";

  private final StressPlan plan;
  private final ArmQueue arms;
  private final Procfs procfs;
  private final ExperimentListener listener;
  private final RunFiles files;
  private final RunRecord record;
  private final Workers workers;
  private final ArmWorkers armWorkers;
  private volatile boolean cancelled;

  /**
   * A run of the arms of {@code plan} that has not begun.
   *
   * @param version of Weir, for the record
   * @param command as the user gave it, for the record
   * @param procfs where the machine is described
   */
  public Experiment(
      StressPlan plan,
      String version,
      List<String> command,
      Procfs procfs,
      ExperimentListener listener) {
    this(plan, plan.queue(), version, command, procfs, listener);
  }

  /**
   * A run that decides on its arms as it goes.
   *
   * @param plan its arms decide which indexes are needed
   * @param arms the arms to run; they start from the same indexes as those of {@code plan}
   */
  public Experiment(
      StressPlan plan,
      ArmQueue arms,
      String version,
      List<String> command,
      Procfs procfs,
      ExperimentListener listener) {
    this.plan = plan;
    this.arms = arms;
    this.procfs = procfs;
    this.listener = listener;
    this.workers = new Workers(listener, plan.out().resolve(SCRATCH));
    this.files = new RunFiles(plan.out());
    this.armWorkers = new ArmWorkers(workers, files, plan.out().resolve(SCRATCH));
    this.record = new RunRecord(plan, arms, version, command, procfs);
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

  /** Checks all that {@link #run} checks before it begins, and creates nothing. */
  public RunForecast forecast() throws StressException, IOException {
    Preflight.requireEmptyOut(plan.out());
    Preflight.requireReachable(plan.telemetry());
    DocumentSource source = Preflight.requireDocuments(plan);
    RunQueries.check(plan.queries());
    SourceIndexes indexes = SourceIndexes.find(plan, plan.out().resolve(SCRATCH));
    indexes.requireDisk(plan, source);
    ArmPreflight.require(plan, indexes, procfs);
    return indexes.forecast(plan, source);
  }

  @Override
  public RunResult run() throws StressException, IOException, InterruptedException {
    Preflight.requireEmptyOut(plan.out());
    Preflight.requireReachable(plan.telemetry());
    DocumentSource source = Preflight.requireDocuments(plan);
    RunQueries queries = RunQueries.check(plan.queries());
    Path scratch = plan.out().resolve(SCRATCH);
    SourceIndexes indexes = SourceIndexes.find(plan, scratch);
    indexes.requireDisk(plan, source);
    ArmPreflight.require(plan, indexes, procfs);
    Preflight.missing(procfs).forEach(this::warn);
    for (Path index : indexes.needed().values()) {
      IndexCopy.deleteOfDeadRuns(index);
    }
    FreshDirectory out = Preflight.make("--out", plan.out());
    try {
      listener.progress("machine", "looking how quiet it is", OptionalDouble.empty(), "");
      record.add(Preflight.requireQuiet(plan, procfs));
      Files.createDirectory(scratch);
      IndexMaker maker = new IndexMaker(plan, source, workers, this::warn);
      long documents = indexes.foundDocuments();
      for (IndexLayout layout : indexes.missing()) {
        if (!cancelled) {
          documents = maker.make(layout, indexes, documents);
          indexes.made(layout);
        }
      }
      if (!cancelled) {
        ArmPreflight.require(plan, indexes, procfs); // once more: their size is known now
        runArms(indexes, documents, queries);
      }
      return write(indexes, documents);
    } finally {
      for (Path index : indexes.needed().values()) {
        IndexCopy.deleteTree(copies(index));
      }
      IndexCopy.deleteTree(scratch);
      out.close();
    }
  }

  private static Path copies(Path index) {
    return IndexCopy.directoryOf(index, ProcessHandle.current().pid());
  }

  private void runArms(SourceIndexes indexes, long documents, RunQueries queries)
      throws StressException, IOException, InterruptedException {
    List<IndexLock> locks = new ArrayList<>();
    try {
      for (Path index : indexes.needed().values()) {
        locks.add(IndexLock.hold(index));
        Files.createDirectories(copies(index));
      }
      long seed = plan.documents().seed();
      queries
          .settle(workers, files.queriesText(), fresh -> draw(seed, indexes.first(), fresh))
          .ifPresent(record::add);
      if (!cancelled) {
        runLocked(indexes, documents);
      }
    } finally {
      IOUtils.close(locks);
    }
  }

  private boolean draw(long seed, Path index, Path fresh)
      throws StressException, InterruptedException {
    WorkerTask task = new WorkerTask.DrawQueries(plan.queries().kind(), seed, index, fresh);
    WorkerEnd end = workers.run("queries", WorkerJvm.SAME, task);
    return !workers.stopped()
        && end.orThrow(WorkerAnswer.QueriesDrawn.class, "drawing queries").complete();
  }

  private void runLocked(SourceIndexes indexes, long documents)
      throws IOException, InterruptedException {
    for (Optional<ArmQueue.Turn> next = arms.next(record.results());
        next.isPresent() && !cancelled;
        next = arms.next(record.results())) {
      ArmQueue.Turn turn = next.get();
      Arm arm = turn.arm();
      int step = record.results().size() + 1;
      ArmResult result;
      Path index = indexes.path(IndexLayout.of(arm.settings()));
      try (IndexCopy copy = IndexCopy.of(index, copies(index).resolve(Integer.toString(step)))) {
        if (!copy.linked() && step == 1) {
          warn(
              new RunWarning(
                  "each arm works on a full copy of the index",
                  "the file system has no hard links",
                  "put --index on one that has"));
        }
        result = runArm(turn, copy.path(), documents);
      }
      if (result.status() == ArmStatus.INTERRUPTED && !cancelled) {
        warn(
            new RunWarning(
                "arm " + arm.name() + " was stopped before its end",
                "another process stopped its JVM",
                "run it again"));
      }
      record.add(result);
      listener.armEnded(result);
      write(indexes, documents);
      if (plan.strict() && !record.cacheAsAsked()) {
        return; // the arms that have run are kept; the others would not be comparable
      }
    }
  }

  private ArmResult runArm(ArmQueue.Turn turn, Path copy, long documents)
      throws IOException, InterruptedException {
    Arm arm = turn.arm();
    WorkerJvm jvm =
        new WorkerJvm(
            arm.settings().get(ArmSetting.JVM),
            JvmHeap.orDefault(arm.settings().get(ArmSetting.JVM_ARGS)));
    return armWorkers.run(
        turn,
        jvm,
        outputs ->
            new WorkerTask.RunArm(
                new ArmRun.Setup(
                    arm.name(),
                    turn.round(),
                    arm.settings(),
                    plan.documents(),
                    copy.toAbsolutePath(),
                    documents,
                    files.queriesText().toAbsolutePath(),
                    plan.out().toAbsolutePath(),
                    plan.slowReopenOver(),
                    plan.checkIndex(),
                    plan.strict(),
                    outputs),
                plan.telemetry()));
  }

  private RunResult write(SourceIndexes indexes, long documents) throws IOException {
    Map<String, String> sizes = new HashMap<>();
    for (Map.Entry<IndexLayout, Path> index : indexes.needed().entrySet()) {
      if (Files.isDirectory(index.getValue())) {
        sizes.put(
            "indexBytes" + index.getKey().suffix(),
            Long.toString(Preflight.sizeOf(index.getValue())));
      }
    }
    return record.write(files, indexes.first(), documents, sizes, cancelled);
  }

  private void warn(RunWarning warning) {
    record.add(warning);
    listener.warning(warning);
  }
}
