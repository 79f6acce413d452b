package io.weir.stress.experiment;

import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.rest.Login;
import io.weir.run.Part;
import io.weir.run.ResidentShares;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.Values;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.SettingsOfTheRun;
import io.weir.stress.worker.StressMain;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The runs of {@code weir stress} and {@code weir sweep}: arms, each in a JVM of its own, on Lucene
 * or under the load of an engine.
 *
 * @param <F> what its source of indexes tells beforehand
 */
public final class StressRun<F> implements RunKind<F> {

  private final StressPlan plan;
  private final ArmQueue arms;
  private final Ground ground;
  private final IndexSource<F> source;
  private final RunQueries queries;
  private long documents; // 0 until the index is whole

  private StressRun(StressPlan plan, ArmQueue arms, Ground ground, IndexSource<F> source) {
    this.plan = plan;
    this.arms = arms;
    this.ground = ground;
    this.source = source;
    this.queries = new RunQueries(plan, false);
  }

  /** A run of the arms of {@code plan} on Lucene. */
  public static Planned<RunForecast> onLucene(StressPlan plan) {
    return onLucene(Run.Kind.STRESS, plan, plan.queue());
  }

  /**
   * A run on Lucene that decides on its arms as it goes.
   *
   * @param plan its arms decide which indexes are needed
   * @param arms the arms to run; they start from the same indexes as those of {@code plan}
   */
  public static Planned<RunForecast> onLucene(Run.Kind kind, StressPlan plan, ArmQueue arms) {
    return planned(kind, plan, arms, Map.of(), ground -> new LuceneSource(plan, ground));
  }

  /** A run of the arms of {@code plan} on an engine. */
  public static Planned<EngineSource.Forecast> onEngine(EnginePlan plan) {
    StressPlan run = plan.run();
    return switch (plan.site()) {
      case EngineSite.OwnServers own ->
          planned(
              Run.Kind.STRESS,
              run,
              run.queue(),
              Map.of(),
              ground -> new EngineSource.OwnServers(plan, own, ground));
      case EngineSite.RunningCluster cluster ->
          planned(
              Run.Kind.STRESS,
              run,
              run.queue(),
              cluster.login().map(Login::toEnvironment).orElse(Map.of()),
              ground -> new EngineSource.Cluster(plan, cluster, ground));
    };
  }

  private static <F> Planned<F> planned(
      Run.Kind kind,
      StressPlan plan,
      ArmQueue arms,
      Map<String, String> environment,
      Function<Ground, IndexSource<F>> source) {
    return new Planned<>(
        kind,
        plan.out(),
        plan.strict(),
        environment,
        ground -> new StressRun<>(plan, arms, ground, source.apply(ground)));
  }

  @Override
  public F check() throws StressException, IOException {
    Preflight.requireReachable(plan.telemetry());
    var documents = Preflight.requireDocuments(plan.documents(), ground.listener());
    queries.check();
    return source.check(documents);
  }

  @Override
  public Path place() {
    return source.place();
  }

  @Override
  public void make() throws StressException, IOException, InterruptedException {
    Preflight.missing(ground.procfs()).forEach(ground.warnings());
    documents = source.make();
    if (!ground.workers().stopped()) {
      queries.settle(ground, source::draw);
    }
  }

  @Override
  public Optional<Trial> next(List<Part> results) {
    return arms.next(results).map(turn -> () -> run(turn, results.size() + 1));
  }

  /** Runs one arm to its end, in a worker of its own. */
  private Part run(ArmQueue.Turn turn, int step) throws IOException, InterruptedException {
    try (IndexSource.Start start = source.start(turn, step, documents)) {
      ArmRun.Outputs outputs = outputs();
      Part result;
      try (ControlJvm control = new ControlJvm(NanoClock.SYSTEM)) {
        result = control.judge(measured(turn, start.jvm(), start.task().apply(outputs)));
      }
      append(outputs);
      return result;
    }
  }

  private Part measured(ArmQueue.Turn turn, JvmCommand jvm, StressMain.Task task)
      throws InterruptedException {
    String step = "arm %s (%s)".formatted(turn.arm().name(), turn.place());
    try {
      return ground.workers().run(step, jvm, StressMain.class, task, Part.class);
    } catch (DiedException e) {
      return Part.failed(
          Part.Kind.ARM,
          turn.arm().name(),
          turn.round(),
          turn.arm().settings().describe(),
          Values.NONE,
          e.failure());
    }
  }

  /** Files for one arm, without what the one before it left. */
  private ArmRun.Outputs outputs() throws IOException {
    Path directory = ground.workers().scratch().toAbsolutePath().resolve("arm");
    IndexCopy.deleteTree(directory);
    Files.createDirectory(directory);
    return new ArmRun.Outputs(
        directory.resolve("reopens.csv"),
        directory.resolve("series.csv"),
        directory.resolve("slow-reopens.csv"),
        directory.resolve("slow-reopens.txt"),
        directory.resolve("gc.csv"),
        directory.resolve("jfr"));
  }

  /** Adds what the arm wrote to the files of the run. */
  private void append(ArmRun.Outputs outputs) throws IOException {
    RunFiles files = ground.files();
    CsvAppender.append(outputs.reopens(), files.reopensCsv());
    CsvAppender.append(outputs.series(), files.seriesCsv());
    CsvAppender.append(outputs.slowReopens(), files.slowReopensCsv());
    CsvAppender.append(outputs.gc(), files.gcCsv());
    CsvAppender.appendText(outputs.slowStacks(), files.slowReopensText());
  }

  @Override
  public Account account(List<Part> results, boolean interrupted) throws IOException {
    Set<String> known = new LinkedHashSet<>(plan.arms().stream().map(Arm::name).toList());
    results.forEach(arm -> known.add(arm.name())); // those that the run only decided on later
    List<String> names = List.copyOf(known);
    return new Account(
        workload(results),
        queries.values(),
        results.stream()
            .sorted(
                Comparator.comparingInt(Part::round)
                    .thenComparingInt(arm -> names.indexOf(arm.name())))
            .toList(),
        ResidentShares.asFound(results).warning().stream().toList(),
        interrupted ? List.of() : arms.judge(results),
        arms.sweep(results, interrupted));
  }

  private Map<String, String> workload(List<Part> results) throws IOException {
    Map<String, String> workload = new TreeMap<>(source.facts());
    workload.putAll(SettingsOfTheRun.of(results.stream().map(Part::settings).toList()));
    workload.put("docs", plan.documents().source());
    plan.documents().vectors().ifPresent(vectors -> workload.put("vectors", vectors));
    workload.put("seed", Long.toString(plan.documents().seed()));
    if (documents > 0) {
      workload.put("documents", Long.toString(documents));
    }
    workload.put("slow-reopen-over", plan.slowReopenOver().toMillis() + "ms");
    workload.put("rounds", Integer.toString(plan.rounds()));
    if (plan.rounds() > 1) {
      workload.put(
          "order",
          results.stream()
              .map(arm -> arm.round() + ": " + arm.name())
              .collect(Collectors.joining(", ")));
    }
    return workload;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
