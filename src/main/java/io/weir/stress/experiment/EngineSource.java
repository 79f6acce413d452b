package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.jvm.JvmCommand;
import io.weir.run.FailureWords;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.engine.ClusterIndex;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineArm;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.engine.EngineData;
import io.weir.stress.engine.EngineQueries;
import io.weir.stress.engine.EngineServer;
import io.weir.stress.engine.EngineStamp;
import io.weir.stress.engine.SearchEngine;
import io.weir.stress.engine.ServerUser;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.Preset;
import io.weir.stress.worker.StressMain;
import io.weir.stress.worker.StressMain.IndexMade;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;

/** An index in an engine, wherever the engine is. <b>Threads:</b> one. */
public abstract sealed class EngineSource implements IndexSource<EngineSource.Forecast> {

  /**
   * What a run on an engine would do, before it is begun.
   *
   * @param index where the engine and its index come from, in a sentence without a full stop
   */
  public record Forecast(StressPlan plan, String index) {}

  final StressPlan run;
  final RunKind.Ground ground;
  final EngineStamp wanted;

  /**
   * A source that has looked at nothing yet.
   *
   * @param wanted what the index must hold
   */
  EngineSource(StressPlan run, RunKind.Ground ground, EngineStamp wanted) {
    this.run = run;
    this.ground = ground;
    this.wanted = wanted;
  }

  @Override
  public final boolean draw(Path file) throws IOException {
    Files.write(file, EngineQueries.draw(run.documents(), run.queries().kind()));
    return true;
  }

  /**
   * Makes and fills the index, in a worker.
   *
   * @return how many documents it holds; 0 when the run was stopped
   */
  final long fill(EngineAccess access) throws StressException, InterruptedException {
    StressMain.Task task = new StressMain.BuildInEngine(new EngineBuild.Setup(access, wanted));
    Optional<IndexMade> answer = ground.run("index", task, IndexMade.class, "filling the index");
    if (answer.isEmpty() || ground.workers().stopped()) {
      return 0;
    }
    IndexMade made = answer.get();
    made.warning().ifPresent(ground.warnings());
    if (made.documents() == 0) {
      throw LuceneSource.noDocuments(made, "filling the index", wanted.from().source());
    }
    return made.documents();
  }

  /**
   * An arm's start.
   *
   * @param access to the arm's index
   * @param documents how many it holds
   * @param copy deletes what only this arm needs
   */
  final Start start(ArmQueue.Turn turn, EngineAccess access, long documents, Closeable copy) {
    Arm arm = turn.arm();
    return new Start(
        JvmCommand.SAME,
        outputs ->
            new StressMain.RunEngineArm(
                new EngineArm.Setup(
                    new ArmRun.Setup(
                        arm.name(),
                        turn.round(),
                        arm.settings(),
                        run.documents(),
                        documents,
                        ground.files().queriesText().toAbsolutePath(),
                        run.out().toAbsolutePath(),
                        run.slowReopenOver(),
                        outputs),
                    access)),
        copy);
  }

  static StressException usage(String message) {
    return new StressException(Kind.USAGE, message);
  }

  /**
   * The run's own index in a cluster that runs, which stays there; or one of the user's, which the
   * run only reads.
   */
  static final class Cluster extends EngineSource {

    private final EngineSite.RunningCluster site;
    private final boolean changes;
    private boolean fills; // set by check

    Cluster(EnginePlan plan, EngineSite.RunningCluster site, RunKind.Ground ground) {
      super(
          plan.run(),
          ground,
          EngineStamp.wanted(
              Optional.empty(), plan.run().documents(), plan.shards(), plan.compound()));
      this.site = site;
      this.changes =
          run.arms().stream().anyMatch(arm -> site.api().changesDocuments(arm.settings()));
    }

    @Override
    public Forecast check(DocumentSource documents) throws StressException {
      fills = find().isEmpty();
      return forecast();
    }

    private OptionalLong find() throws StressException {
      try {
        return changes ? ClusterIndex.filled(site, wanted) : OptionalLong.of(readable());
      } catch (IOException e) {
        throw usage(site.api().targetRule() + ": " + FailureWords.of(e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StressException(Kind.BROKEN, "interrupted while --target was asked");
      }
    }

    private long readable() throws StressException, IOException, InterruptedException {
      ClusterIndex.Readable found = ClusterIndex.readable(site, run.documents());
      if (found.documents() == 0) {
        throw usage(
            "%s at %s has no documents; with --updates-per-second the run fills it"
                .formatted(site.index(), site.url()));
      }
      if (!found.filledByRun() && run.queries().kind() != QuerySource.Kind.FILE) {
        throw usage(
            "--queries must be a file for documents that are not of weir stress: " + site.index());
      }
      return found.documents();
    }

    private Forecast forecast() {
      String index = "%s at %s".formatted(site.index(), site.url());
      return new Forecast(run, index + whatBecomesOfIt());
    }

    private String whatBecomesOfIt() {
      if (!changes) {
        return ", whose documents it does not change";
      }
      return fills
          ? ", which is filled with %s and stays there".formatted(run.documents().source())
          : ", which stays there";
    }

    @Override
    public long make() throws StressException, IOException, InterruptedException {
      ground.listener().intends(forecast());
      ground.listener().progress("index", "preparing the engine", OptionalDouble.empty(), "");
      OptionalLong there = find();
      return there.isPresent() ? there.getAsLong() : fill(access());
    }

    @Override
    public Start start(ArmQueue.Turn turn, int step, long documents) {
      return start(turn, access(), documents, () -> {});
    }

    private EngineAccess access() {
      return EngineAccess.to(site.api(), site.url(), site.index());
    }

    @Override
    public Path place() {
      return run.out();
    }

    @Override
    public Map<String, String> facts() {
      return Map.of("target", site.url().getHost(), "target-index", site.index());
    }

    @Override
    public void close() {
      // The cluster keeps its index.
    }
  }

  /**
   * A data directory that one server fills, and a copy of it for the server of each arm. Copies are
   * beside the directory; servers of arms with and without the plug-in have distributions of their
   * own.
   */
  static final class OwnServers extends EngineSource {

    private final EngineSite.OwnServers site;
    private final int shards;
    private final Path scratch;
    private final Path directory;
    private Optional<IndexLock> lock = Optional.empty();

    OwnServers(EnginePlan plan, EngineSite.OwnServers site, RunKind.Ground ground) {
      super(
          plan.run(),
          ground,
          EngineStamp.wanted(
              Optional.of(site.engine()), plan.run().documents(), plan.shards(), plan.compound()));
      this.site = site;
      this.shards = plan.shards();
      this.scratch = ground.workers().scratch().toAbsolutePath();
      this.directory = run.index().orElse(scratch.resolve("index")).toAbsolutePath();
    }

    @Override
    public Forecast check(DocumentSource documents) throws StressException, IOException {
      Optional<String> noHome = SearchEngine.of(site.engine()).obstacle(site.home());
      if (noHome.isPresent()) {
        throw usage("--engine-home must be a distribution of the engine: " + noHome.get());
      }
      if (run.documents().vectors().isPresent()) {
        Optional<String> noVectors = SearchEngine.of(site.engine()).vectorObstacle(site.home());
        if (noVectors.isPresent()) {
          throw usage(noVectors.get());
        }
      }
      if (site.plugin().isPresent() && !Files.isReadable(site.plugin().get())) {
        throw usage("--engine-plugin must be a file that can be read: " + site.plugin().get());
      }
      Optional<String> noServer = ServerUser.obstacle();
      if (noServer.isPresent()) {
        throw usage("--engine needs a server that can be started: " + noServer.get());
      }
      for (Path path : List.of(run.out(), directory)) {
        Optional<String> closed = ServerUser.obstacle(Preflight.nearestExisting(path));
        if (closed.isPresent()) {
          throw usage(
              "%s must be a directory that servers may use: %s"
                  .formatted(path.equals(directory) ? "--index" : "--out", closed.get()));
        }
      }
      if (Files.exists(directory.resolve(IndexWriter.WRITE_LOCK_NAME))) {
        IndexLock.hold(directory).close(); // perhaps another run is filling it right now
      }
      Optional<EngineStamp> there = requireFitting();
      Preflight.requireDisk(
          run, documents, directory, there.isPresent(), there.isPresent() ? 0 : 1);
      return new Forecast(
          run,
          "servers of %s from %s, each on a copy of %s"
              .formatted(site.engine().label(), site.home(), directory));
    }

    /** What is in the place of the index: its stamp if it is the wanted one; empty for nothing. */
    private Optional<EngineStamp> requireFitting() throws StressException, IOException {
      Optional<EngineStamp> there = EngineData.stamp(directory);
      if (there.isPresent() && !there.get().matches(wanted)) {
        throw usage(
            "--index holds %s, this run asks for %s: choose another --index, or delete %s"
                .formatted(there.get(), wanted, directory));
      }
      if (there.isEmpty() && isOccupied()) {
        throw usage(
            "--index must hold a data directory that weir stress has filled, or nothing: "
                + directory);
      }
      return there;
    }

    private boolean isOccupied() throws IOException {
      if (!Files.isDirectory(directory)) {
        return Files.exists(directory);
      }
      try (Stream<Path> listed = Files.list(directory)) {
        return listed.anyMatch(
            file -> !file.getFileName().toString().equals(IndexWriter.WRITE_LOCK_NAME));
      }
    }

    @Override
    public long make() throws StressException, IOException, InterruptedException {
      ground.listener().progress("index", "preparing the engine", OptionalDouble.empty(), "");
      Files.createDirectories(directory);
      lock = Optional.of(IndexLock.hold(directory));
      Optional<EngineStamp> there = requireFitting(); // another run may have filled it meanwhile
      Set<Preset> presets =
          run.arms().stream()
              .map(arm -> arm.settings().get(ArmSetting.PRESET))
              .collect(Collectors.toSet());
      presets.add(Preset.STOCK); // fills the index
      for (Preset preset : presets) {
        SearchEngine.of(site.engine())
            .copy(
                site.home(),
                preset == Preset.WEIR ? site.plugin() : Optional.empty(),
                DocumentVectors.of(run.documents()).dims(),
                home(preset));
      }
      IndexCopy.deleteOfDeadRuns(directory, ground.procfs());
      return there.isPresent() ? there.get().documents() : fill();
    }

    private long fill() throws StressException, IOException, InterruptedException {
      EngineServer.Setup server =
          server(
              Preset.STOCK,
              EngineData.data(directory),
              JvmCommand.withHeap(List.of()),
              "filling",
              0);
      long documents = 0;
      try {
        documents = fill(EngineAccess.to(server));
        if (documents > 0) {
          EngineData.recordFilled(directory, wanted.filled(documents));
        }
        return documents;
      } finally {
        IndexCopy.deleteTree(server.files());
        if (documents == 0) {
          IndexCopy.deleteTree(EngineData.data(directory));
        }
      }
    }

    @Override
    public Start start(ArmQueue.Turn turn, int step, long documents) throws IOException {
      Path data = copies().resolve(Integer.toString(step));
      Files.createDirectories(copies());
      EngineData.copy(directory, data);
      EngineServer.Setup server =
          server(
              turn.arm().settings().get(ArmSetting.PRESET),
              data,
              JvmCommand.withHeap(turn.arm().settings().get(ArmSetting.JVM_ARGS)),
              turn.arm().name(),
              turn.round());
      return start(turn, EngineAccess.to(server), documents, () -> delete(server));
    }

    private static void delete(EngineServer.Setup server) throws IOException {
      IndexCopy.deleteTree(server.files());
      IndexCopy.deleteTree(server.data());
    }

    private EngineServer.Setup server(
        Preset preset, Path data, List<String> jvmArguments, String name, int round) {
      return new EngineServer.Setup(
          site.engine(),
          home(preset),
          data,
          scratch.resolve("server"),
          ground.files().serverLog(name, round).toAbsolutePath(),
          jvmArguments,
          preset == Preset.WEIR
              ? Map.of("weir.slow_refresh.threshold", run.slowReopenOver().toMillis() + "ms")
              : Map.of());
    }

    @Override
    public void close() throws IOException {
      IndexCopy.deleteTree(copies());
      if (lock.isPresent()) {
        lock.get().close();
      }
    }

    private Path copies() {
      return IndexCopy.directoryOf(directory, ground.procfs());
    }

    private Path home(Preset preset) {
      return scratch.resolve(preset == Preset.WEIR ? "home-weir" : "home-stock");
    }

    @Override
    public Path place() {
      return directory;
    }

    @Override
    public Map<String, String> facts() {
      return Map.of("engine", site.engine().label(), "shards", Integer.toString(shards));
    }
  }
}
