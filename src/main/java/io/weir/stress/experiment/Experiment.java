package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.procfs.Procfs;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.index.IndexStamp;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.worker.BuildResult;
import io.weir.stress.worker.WorkerTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * One run: checks, builds or takes the index, and runs the arms one after another, each in a JVM of
 * its own on its own copy of the index.
 *
 * <p>The result is written after each arm, so whatever happens later, the arms that ended are kept.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #cancel} from any thread. <b>Ownership:</b> worker
 * JVMs, copies of the index and scratch files are gone when {@link #run} returns or throws.
 *
 * <p><b>Failure:</b> {@link StressException} for what cannot be begun or gone on with. An arm that
 * fails is told in the result, and the next one is run.
 */
public final class Experiment {

  private static final String SCRATCH = ".work";

  private final StressPlan plan;
  private final Procfs procfs;
  private final ExperimentListener listener;
  private final RunFiles files;
  private final RunRecord record;
  private volatile boolean cancelled;
  private volatile Worker worker;

  /**
   * A run that is not begun yet.
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
    this.plan = plan;
    this.procfs = procfs;
    this.listener = listener;
    this.files = new RunFiles(plan.out());
    this.record = new RunRecord(plan, version, command, procfs);
  }

  /** Where the result is. */
  public RunFiles files() {
    return files;
  }

  /** Ends the run early; {@link #run} then returns what was seen until now. */
  public void cancel() {
    cancelled = true;
    Worker running = worker;
    if (running != null) {
      running.stop();
    }
  }

  /** Runs all of it. */
  public RunResult run() throws StressException, IOException, InterruptedException {
    Preflight.requireEmptyOut(plan.out());
    DocumentSource source = Preflight.requireDocuments(plan);
    Path scratch = plan.out().resolve(SCRATCH);
    Path index = plan.index() != null ? plan.index() : scratch.resolve("index");
    Optional<IndexStamp> stamp = Preflight.requireFitting(plan, index);
    Preflight.requireDisk(plan, source, index, stamp.isPresent());
    Preflight.missing(procfs).forEach(this::warn);
    Path copies = IndexCopy.directoryOf(index, ProcessHandle.current().pid());
    IndexCopy.deleteOfDeadRuns(index);
    FreshDirectory out = Preflight.make("--out", plan.out());
    try {
      Files.createDirectory(scratch);
      long documents = stamp.isPresent() ? stamp.get().documents() : build(index, source, scratch);
      if (!cancelled) {
        IndexLock lock = IndexLock.hold(index);
        try {
          Files.createDirectories(copies);
          runArms(index, documents, copies, scratch);
        } finally {
          lock.close();
        }
      }
      return record.write(files, index, documents, cancelled);
    } finally {
      IndexCopy.deleteTree(copies);
      IndexCopy.deleteTree(scratch);
      out.close();
    }
  }

  private long build(Path index, DocumentSource source, Path scratch)
      throws StressException, IOException, InterruptedException {
    Path answer = scratch.resolve("build.json");
    WorkerTask task =
        new WorkerTask(
            new WorkerTask.Build(plan.documents(), expectedDocuments(source), index), null, answer);
    FreshDirectory fresh = Preflight.make("--index", index); // or empty, as was checked
    boolean built = false;
    try {
      ArmFailure failure = runWorker("index", null, List.of(), task, scratch);
      if (failure != null) {
        throw new StressException(
            Kind.BROKEN,
            "building the index failed, %s:%n%s"
                .formatted(failure.reason(), String.join("\n", failure.lastLines())));
      }
      BuildResult result = RunJson.read(answer, BuildResult.class);
      if (result.problems() > 0) {
        warn(
            new RunWarning(
                "%d %s malformed; the first: %s"
                    .formatted(
                        result.problems(),
                        result.problems() == 1
                            ? "place in the documents is"
                            : "places in the documents are",
                        String.join("; ", result.examples())),
                "damaged, truncated or unreadable input",
                "look at the places named; everything else was indexed"));
      }
      if (result.documents() == 0 && !cancelled) {
        throw new StressException(
            Kind.USAGE,
            "--docs must hold at least 1 document that can be read: " + plan.documents().source());
      }
      built = result.documents() > 0;
      return result.documents();
    } finally {
      try {
        if (!built) {
          discardUnfinished(index);
        }
      } finally {
        fresh.close();
      }
    }
  }

  /**
   * Deletes what an unfinished build left. Our worker has ended, so if the index is locked another
   * run builds it; then that is what the user is told, and nothing is deleted.
   */
  static void discardUnfinished(Path index) throws StressException, IOException {
    IndexLock lock = IndexLock.hold(index);
    try {
      if (!IndexLock.holdsIndex(index)) {
        IndexCopy.deleteFiles(index);
      }
    } finally {
      lock.close();
    }
  }

  private void runArms(Path index, long documents, Path copies, Path scratch)
      throws IOException, InterruptedException {
    int step = 0;
    for (int round = 1; round <= plan.rounds(); round++) {
      for (Arm arm : plan.arms()) {
        step++;
        if (cancelled) {
          return;
        }
        String name =
            "arm %s (%d of %d)".formatted(arm.name(), step, plan.arms().size() * plan.rounds());
        ArmResult result;
        try (IndexCopy copy = IndexCopy.of(index, copies.resolve(Integer.toString(step)))) {
          if (!copy.linked() && step == 1) {
            warn(
                new RunWarning(
                    "each arm works on a full copy of the index",
                    "the file system has no hard links",
                    "put --index on one that has"));
          }
          result = runArm(name, arm, round, copy.path(), documents, scratch);
        }
        if (result.status() == ArmStatus.INTERRUPTED && !cancelled) {
          warn(
              new RunWarning(
                  "arm " + arm.name() + " was stopped before its end",
                  "its JVM was told to stop from outside this run",
                  "run it again"));
        }
        record.add(result);
        listener.armEnded(result);
        record.write(files, index, documents, cancelled);
      }
    }
  }

  private ArmResult runArm(String step, Arm arm, int round, Path copy, long documents, Path scratch)
      throws IOException, InterruptedException {
    Path answer = scratch.resolve("arm.json");
    ArmRun.Outputs outputs =
        new ArmRun.Outputs(
            scratch.resolve("reopens.csv").toAbsolutePath(),
            scratch.resolve("series.csv").toAbsolutePath(),
            scratch.resolve("slow-reopens.csv").toAbsolutePath(),
            scratch.resolve("slow-reopens.txt").toAbsolutePath());
    for (Path file :
        List.of(
            answer,
            outputs.reopens(),
            outputs.series(),
            outputs.slowReopens(),
            outputs.slowStacks())) {
      Files.deleteIfExists(file);
    }
    WorkerTask task =
        new WorkerTask(
            null,
            new ArmRun.Setup(
                arm.name(),
                round,
                arm.settings(),
                plan.documents(),
                copy.toAbsolutePath(),
                documents,
                plan.out().toAbsolutePath(),
                plan.slowReopenOver(),
                outputs),
            answer);
    List<String> jvmArguments = JvmHeap.orDefault(arm.settings().jvmArguments());
    ArmFailure failure = runWorker(step, arm.settings().jvm(), jvmArguments, task, scratch);
    CsvAppender.append(outputs.reopens(), files.reopensCsv());
    CsvAppender.append(outputs.series(), files.seriesCsv());
    CsvAppender.append(outputs.slowReopens(), files.slowReopensCsv());
    CsvAppender.appendText(outputs.slowStacks(), files.slowReopensText());
    return failure == null
        ? RunJson.read(answer, ArmResult.class)
        : ArmResult.failed(arm.name(), round, arm.settings().describe(), failure);
  }

  /** Runs one worker to its end; null when it has left its answer. */
  private ArmFailure runWorker(
      String step, String java, List<String> jvmArguments, WorkerTask task, Path scratch)
      throws InterruptedException {
    try (Worker started = Worker.start(java, jvmArguments, task, scratch)) {
      worker = started;
      if (cancelled) {
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

  private long expectedDocuments(DocumentSource source) {
    long wanted = plan.documents().maxDocuments();
    long there = source.documentCount().orElse(0);
    return wanted == 0 ? there : there == 0 ? wanted : Math.min(wanted, there);
  }

  private void warn(RunWarning warning) {
    record.add(warning);
    listener.warning(warning);
  }
}
