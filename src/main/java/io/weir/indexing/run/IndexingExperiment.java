package io.weir.indexing.run;

import io.weir.corpus.DocumentSource;
import io.weir.host.HostProbe;
import io.weir.indexing.cell.CellRun;
import io.weir.indexing.plan.Cell;
import io.weir.indexing.plan.CellKey;
import io.weir.indexing.plan.IndexingPlan;
import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.jvm.Workers;
import io.weir.option.HumanDuration;
import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.CellFigures;
import io.weir.run.Failure;
import io.weir.run.LatencySummary;
import io.weir.run.Noise;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.experiment.ControlJvm;
import io.weir.stress.experiment.CsvAppender;
import io.weir.stress.experiment.Experiment;
import io.weir.stress.experiment.ExperimentListener;
import io.weir.stress.experiment.FreshDirectory;
import io.weir.stress.experiment.IndexCopy;
import io.weir.stress.experiment.Preflight;
import io.weir.stress.experiment.RunDirectory;
import io.weir.stress.experiment.StressException;
import io.weir.stress.noise.NoiseRules;
import io.weir.stress.setting.ArmKind;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.SettingsOfTheRun;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.lucene.util.Version;

/**
 * One run of {@code weir index}: checks, then runs the cells one after another, round by round,
 * each in a JVM of its own with an empty index of its own.
 *
 * <p>The result is written after each cell, so the cells that have ended are safe whatever happens
 * later. Until the run has ended, the file says that it was interrupted.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #cancel} from any thread. <b>Ownership:</b> JVMs,
 * indexes and scratch files are gone when {@link #run} returns or throws. <b>Failure:</b> {@link
 * StressException} for a run that cannot begin. A cell that fails is in the result, and the next
 * one runs.
 */
public final class IndexingExperiment {

  private final IndexingPlan plan;
  private final Experiment.Origin origin;
  private final Procfs procfs;
  private final ExperimentListener listener;
  private final RunFiles files;
  private final Workers workers;
  private final Path indexes;
  private final Instant startedAt = Instant.now();
  private final List<Part> results = new ArrayList<>();
  private final List<RunWarning> warnings = new ArrayList<>();
  private volatile boolean cancelled;

  /** A run that has not begun. */
  public IndexingExperiment(
      IndexingPlan plan, Experiment.Origin origin, Procfs procfs, ExperimentListener listener) {
    this.plan = plan;
    this.origin = origin;
    this.procfs = procfs;
    this.listener = listener;
    this.files = new RunFiles(plan.out());
    this.workers = new Workers(listener::progress, files.scratch(), Map.of());
    this.indexes =
        plan.place().toAbsolutePath().resolve("weir-index-" + ProcessHandle.current().pid());
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
  public IndexingForecast forecast() throws StressException {
    DocumentSource documents = check();
    return new IndexingForecast(
        documents.describe(),
        plan.cells(),
        plan.rounds(),
        plan.duration().multipliedBy((long) plan.rounds() * plan.cells().size()),
        plan.longest(),
        CellRun.heap(plan),
        Preflight.nearestExisting(plan.place()).toFile().getUsableSpace());
  }

  private DocumentSource check() throws StressException {
    Preflight.requireEmptyOut(plan.out());
    if (Files.exists(plan.place()) && !Files.isDirectory(plan.place())) {
      throw new StressException(
          StressException.Kind.USAGE,
          "--place must be a directory, this is a file: " + plan.place());
    }
    Preflight.requireJvms(plan.cells().stream().map(Cell::arm).toList());
    return Preflight.requireDocuments(plan.documents(), listener);
  }

  /** Runs all of it. */
  public Run run() throws StressException, IOException, InterruptedException {
    check();
    RunDirectory out = RunDirectory.claim(plan.out());
    try {
      FreshDirectory place = Preflight.make("--place", indexes);
      try {
        return runCells();
      } catch (IOException e) {
        StressException.throwIfFull(e, plan.out(), indexes);
        throw e;
      } finally {
        IndexCopy.deleteTree(indexes);
        place.close();
      }
    } finally {
      out.close();
    }
  }

  private Run runCells() throws StressException, IOException, InterruptedException {
    listener.progress("machine", "measuring background noise", OptionalDouble.empty(), "");
    Noise noise = ControlJvm.before(procfs, NanoClock.SYSTEM);
    if (plan.strict() && noise.isNoisy()) {
      throw new StressException(
          StressException.Kind.NOISY,
          "the machine is too noisy for --strict: "
              + noise.findings().stream().map(RunWarning::what).collect(Collectors.joining("; ")));
    }
    int all = plan.rounds() * plan.cells().size();
    for (int round = 1; round <= plan.rounds() && !cancelled; round++) {
      for (Cell cell : plan.order(round)) {
        if (cancelled) {
          break;
        }
        String place = "%d of %d".formatted(results.size() + 1, all);
        Part result = run(cell, round, place);
        results.add(result);
        if (result.status() == Status.INTERRUPTED && !cancelled) {
          warn(
              new RunWarning(
                  "the cell " + result.name() + " was stopped before its end",
                  "another process stopped its JVM",
                  "run it again"));
        }
        result.failure().ifPresent(failure -> listener.warning(warning(result, failure)));
        write(noise, true); // what remains if this process dies
      }
    }
    return write(noise, cancelled);
  }

  private static RunWarning warning(Part failed, Failure failure) {
    return new RunWarning(
        "the cell " + failed.name() + " failed: " + failure.reason(),
        failure.lastLines().isEmpty() ? "it says no more" : failure.lastLines().getLast().strip(),
        "the other cells go on");
  }

  private void warn(RunWarning warning) {
    warnings.add(warning);
    listener.warning(warning);
  }

  private Part run(Cell cell, int round, String place) throws IOException, InterruptedException {
    Path index = indexes.resolve("cell");
    Path series = workers.scratch().toAbsolutePath().resolve("series.csv");
    Files.deleteIfExists(series);
    CellRun.Task task =
        new CellRun.Task(
            cell.key(),
            round,
            cell.arm().settings(),
            plan.documents(),
            plan.sourceBytes(),
            plan.duration(),
            plan.leastFlushes(),
            index,
            series);
    JvmCommand jvm =
        new JvmCommand(
            cell.arm().settings().get(ArmSetting.JVM),
            JvmCommand.withHeap(
                cell.arm().settings().get(ArmSetting.JVM_ARGS), CellRun.heap(plan)));
    String step = "cell %s (%s)".formatted(cell.key().title(), place);
    Part result;
    LatencySummary control;
    try (ControlJvm idle = new ControlJvm(NanoClock.SYSTEM)) {
      result = measured(cell, round, step, jvm, task);
      control = idle.end();
    }
    CsvAppender.append(series, files.seriesCsv());
    IndexCopy.deleteTree(index);
    return judge(result, cell.threads(), control);
  }

  private Part measured(Cell cell, int round, String step, JvmCommand jvm, CellRun.Task task)
      throws InterruptedException {
    try {
      return workers.run(step, jvm, CellRun.class, task, Part.class);
    } catch (DiedException e) {
      return Part.failed(
          Part.Kind.CELL,
          cell.key().title(),
          round,
          cell.arm().settings().describe(ArmKind.INDEX),
          cell.key().values(),
          e.failure());
    }
  }

  /**
   * With as many indexing threads as processors, an idle thread comes late because of the cell
   * itself: its lateness is kept, but is no finding.
   */
  private static Part judge(Part cell, int threads, LatencySummary control) {
    boolean busyByItself = threads >= Runtime.getRuntime().availableProcessors();
    return cell.with(
        new Noise(
            Values.builder().put(ArmFigures.NOISE_CONTROL, control).build(),
            NoiseRules.during(
                cell.get(CellFigures.NOISE_HOST),
                busyByItself ? LatencySummary.EMPTY : control,
                "while the cell ran")));
  }

  private Run write(Noise noise, boolean interrupted) throws IOException {
    Run run =
        new Run(
            Run.SCHEMA_VERSION,
            Run.Kind.INDEX,
            origin.version(),
            Version.LATEST.toString(),
            origin.command(),
            startedAt,
            Instant.now(),
            interrupted,
            RunJson.tree(HostProbe.read(Preflight.nearestExisting(indexes), procfs)),
            workload(),
            noise.values(),
            List.copyOf(results),
            List.copyOf(warnings),
            noise.findings(),
            List.of(),
            Optional.empty());
    files.write(run);
    return run;
  }

  private Map<String, String> workload() {
    Map<String, String> workload =
        new TreeMap<>(
            SettingsOfTheRun.of(
                plan.arms().stream().map(arm -> arm.settings().describe(ArmKind.INDEX)).toList()));
    workload.put("docs", plan.documents().source());
    workload.put("seed", Long.toString(plan.documents().seed()));
    if (plan.documents().maxDocuments() > 0) {
      workload.put("doc-count", Long.toString(plan.documents().maxDocuments()));
    }
    workload.put("source-memory", CellKey.sizeText(plan.sourceBytes()));
    workload.put("duration", HumanDuration.print(plan.duration()));
    workload.put("flushes", Integer.toString(plan.leastFlushes()));
    workload.put("rounds", Integer.toString(plan.rounds()));
    return workload;
  }
}
