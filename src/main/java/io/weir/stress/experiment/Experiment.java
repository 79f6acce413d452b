package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.procfs.Procfs;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.FailedArm;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunNoise;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.worker.WorkerAnswer;
import io.weir.stress.worker.WorkerTask;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
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
 * fails is a {@link FailedArm} in the result, and the next one runs.
 */
public final class Experiment {

  private static final String SCRATCH = ".work";

  private final StressPlan plan;
  private final ArmQueue arms;
  private final Procfs procfs;
  private final ExperimentListener listener;
  private final RunFiles files;
  private final RunRecord record;
  private final Workers workers;
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
    this.record = new RunRecord(plan, arms, version, command, procfs);
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

  /** Runs all of it. */
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
      lookHowQuiet();
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
        runArms(indexes, documents, queries, scratch);
      }
      return record.write(files, indexes, documents, cancelled);
    } finally {
      for (Path index : indexes.needed().values()) {
        IndexCopy.deleteTree(copies(index));
      }
      IndexCopy.deleteTree(scratch);
      out.close();
    }
  }

  /** Before anything of this run makes noise itself. */
  private void lookHowQuiet() throws StressException {
    listener.progress("machine", "looking how quiet it is", OptionalDouble.empty(), "");
    RunNoise noise = ControlJvm.before(procfs, NanoClock.SYSTEM);
    if (plan.strict() && noise.isNoisy()) {
      throw new StressException(
          StressException.Kind.NOISY,
          "the machine is too noisy for a run that is to be strict: "
              + noise.findings().stream().map(RunWarning::what).collect(Collectors.joining("; ")));
    }
    record.add(noise);
  }

  private static Path copies(Path index) {
    return IndexCopy.directoryOf(index, ProcessHandle.current().pid());
  }

  private void runArms(SourceIndexes indexes, long documents, RunQueries queries, Path scratch)
      throws StressException, IOException, InterruptedException {
    List<IndexLock> locks = new ArrayList<>();
    try {
      for (Path index : indexes.needed().values()) {
        locks.add(IndexLock.hold(index));
        Files.createDirectories(copies(index));
      }
      long seed = plan.documents().seed();
      queries.settle(seed, indexes.first(), workers, files.queriesText()).ifPresent(record::add);
      if (!cancelled) {
        runLocked(indexes, documents, scratch);
      }
    } finally {
      IOUtils.close(locks);
    }
  }

  private void runLocked(SourceIndexes indexes, long documents, Path scratch)
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
        result = runArm(turn, copy.path(), documents, scratch);
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
      record.write(files, indexes, documents, cancelled);
      if (plan.strict() && !record.cacheAsAsked()) {
        return; // the arms that have run are kept; the others would not be comparable
      }
    }
  }

  private ArmResult runArm(ArmQueue.Turn turn, Path copy, long documents, Path scratch)
      throws IOException, InterruptedException {
    Arm arm = turn.arm();
    ArmRun.Outputs outputs = outputs(scratch);
    WorkerTask task =
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
            plan.telemetry());
    WorkerJvm jvm =
        new WorkerJvm(
            arm.settings().get(ArmSetting.JVM),
            JvmHeap.orDefault(arm.settings().get(ArmSetting.JVM_ARGS)));
    ArmResult result;
    try (ControlJvm control = new ControlJvm(NanoClock.SYSTEM)) {
      String step = "arm %s (%s)".formatted(arm.name(), turn.place());
      result = control.judge(result(turn, workers.run(step, jvm, task)));
    }
    append(outputs);
    return result;
  }

  private static ArmResult result(ArmQueue.Turn turn, WorkerEnd end) {
    return switch (end) {
      case WorkerEnd.Answered(WorkerAnswer.ArmEnded(ArmResult result)) -> result;
      case WorkerEnd.Answered(WorkerAnswer other) ->
          throw new IllegalStateException("not the answer to an arm: " + other);
      case WorkerEnd.Failed(ArmFailure failure) ->
          FailedArm.of(turn.arm().name(), turn.round(), turn.arm().settings().describe(), failure);
    };
  }

  /** Files for one arm, without what the one before it left. */
  private static ArmRun.Outputs outputs(Path scratch) throws IOException {
    Path files = scratch.toAbsolutePath().resolve("arm");
    IndexCopy.deleteTree(files);
    Files.createDirectory(files);
    return new ArmRun.Outputs(
        files.resolve("reopens.csv"),
        files.resolve("series.csv"),
        files.resolve("slow-reopens.csv"),
        files.resolve("slow-reopens.txt"),
        files.resolve("gc.csv"),
        files.resolve("jfr"));
  }

  private void append(ArmRun.Outputs outputs) throws IOException {
    CsvAppender.append(outputs.reopens(), files.reopensCsv());
    CsvAppender.append(outputs.series(), files.seriesCsv());
    CsvAppender.append(outputs.slowReopens(), files.slowReopensCsv());
    CsvAppender.append(outputs.gc(), files.gcCsv());
    CsvAppender.appendText(outputs.slowStacks(), files.slowReopensText());
  }

  private void warn(RunWarning warning) {
    record.add(warning);
    listener.warning(warning);
  }
}
