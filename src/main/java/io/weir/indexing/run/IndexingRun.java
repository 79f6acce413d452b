package io.weir.indexing.run;

import io.weir.corpus.DocumentSource;
import io.weir.indexing.cell.CellRun;
import io.weir.indexing.plan.Cell;
import io.weir.indexing.plan.CellKey;
import io.weir.indexing.plan.IndexingPlan;
import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.option.HumanDuration;
import io.weir.run.ArmFigures;
import io.weir.run.CellFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Noise;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.Values;
import io.weir.stress.experiment.ControlJvm;
import io.weir.stress.experiment.CsvAppender;
import io.weir.stress.experiment.FreshDirectory;
import io.weir.stress.experiment.IndexCopy;
import io.weir.stress.experiment.LuceneJars;
import io.weir.stress.experiment.Preflight;
import io.weir.stress.experiment.RunKind;
import io.weir.stress.experiment.StressException;
import io.weir.stress.noise.NoiseRules;
import io.weir.stress.setting.ArmKind;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.SettingsOfTheRun;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The run of {@code weir index}: cells one after another, round by round, each in a JVM of its own
 * with an empty index of its own.
 */
public final class IndexingRun implements RunKind<IndexingRun.Forecast> {

  /**
   * What a run would do.
   *
   * @param documents where they come from
   * @param heap of a cell's JVM, as arguments; empty where arms say it themselves
   * @param freeBytes of the disk where indexes are written
   */
  public record Forecast(IndexingPlan plan, String documents, List<String> heap, long freeBytes) {}

  private final IndexingPlan plan;
  private final Ground ground;
  private final Path indexes;
  private Optional<FreshDirectory> place = Optional.empty();

  private IndexingRun(IndexingPlan plan, Ground ground) {
    this.plan = plan;
    this.ground = ground;
    this.indexes =
        plan.place().toAbsolutePath().resolve("weir-index-" + ProcessHandle.current().pid());
  }

  /** A run of the cells of {@code plan}. */
  public static Planned<Forecast> of(IndexingPlan plan) {
    return new Planned<>(
        Run.Kind.INDEX,
        plan.out(),
        plan.strict(),
        Map.of(),
        ground -> new IndexingRun(plan, ground));
  }

  @Override
  public Forecast check() throws StressException {
    if (Files.exists(plan.place()) && !Files.isDirectory(plan.place())) {
      throw new StressException(
          StressException.Kind.USAGE,
          "--place must be a directory, this is a file: " + plan.place());
    }
    Preflight.requireJvms(plan.arms());
    DocumentSource documents = Preflight.requireDocuments(plan.documents(), ground.listener());
    return new Forecast(
        plan,
        documents.describe(),
        CellRun.heap(plan),
        Preflight.nearestExisting(plan.place()).toFile().getUsableSpace());
  }

  @Override
  public Path place() {
    return indexes;
  }

  @Override
  public void make() throws StressException {
    place = Optional.of(FreshDirectory.make("--place", indexes));
  }

  @Override
  public Optional<Trial> next(List<Part> results) {
    int cells = plan.cells().size();
    int done = results.size();
    if (done == cells * plan.rounds()) {
      return Optional.empty();
    }
    int round = done / cells + 1;
    Cell cell = plan.order(round).get(done % cells);
    String step =
        "cell %s (%d of %d)".formatted(cell.key().title(), done + 1, cells * plan.rounds());
    return Optional.of(() -> run(cell, round, step));
  }

  private Part run(Cell cell, int round, String step) throws IOException, InterruptedException {
    Path index = indexes.resolve("cell");
    Path series = ground.workers().scratch().toAbsolutePath().resolve("series.csv");
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
            JvmCommand.withHeap(cell.arm().settings().get(ArmSetting.JVM_ARGS), CellRun.heap(plan)),
            LuceneJars.of(cell.arm().settings()));
    Part result;
    LatencySummary control;
    try (ControlJvm idle = new ControlJvm(NanoClock.SYSTEM)) {
      result = measured(cell, round, step, jvm, task);
      control = idle.end();
    }
    CsvAppender.append(series, ground.files().seriesCsv());
    IndexCopy.deleteTree(index);
    return judge(result, cell.threads(), control);
  }

  private Part measured(Cell cell, int round, String step, JvmCommand jvm, CellRun.Task task)
      throws InterruptedException {
    try {
      return ground.workers().run(step, jvm, CellRun.class, task, Part.class);
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

  @Override
  public Account account(List<Part> results, boolean interrupted) {
    return new Account(workload(), Values.NONE, results);
  }

  private Map<String, String> workload() {
    Map<String, String> workload =
        new TreeMap<>(
            SettingsOfTheRun.of(
                plan.arms().stream().map(arm -> arm.settings().describe(ArmKind.INDEX)).toList()));
    workload.put("docs", plan.documents().source());
    plan.documents().vectors().ifPresent(vectors -> workload.put("vectors", vectors));
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

  @Override
  public void close() throws IOException {
    IndexCopy.deleteTree(indexes);
    if (place.isPresent()) {
      place.get().close();
    }
  }
}
