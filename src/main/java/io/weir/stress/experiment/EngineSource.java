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
import io.weir.stress.plan.IndexLayout;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.IOUtils;

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

  /** A source that has looked at nothing yet. */
  EngineSource(StressPlan run, RunKind.Ground ground) {
    this.run = run;
    this.ground = ground;
  }

  @Override
  public final boolean draw(Path file) throws IOException {
    Files.write(file, EngineQueries.draw(run.documents(), run.queries().kind()));
    return true;
  }

  /**
   * Makes and fills an index, in a worker.
   *
   * @param wanted what it must hold
   * @return how many documents it holds; 0 when the run was stopped
   */
  final long fill(EngineAccess access, EngineStamp wanted)
      throws StressException, InterruptedException {
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
    private final EngineStamp wanted;
    private final boolean changes;
    private boolean fills; // set by check

    Cluster(EnginePlan plan, EngineSite.RunningCluster site, RunKind.Ground ground) {
      super(plan.run(), ground);
      this.site = site;
      this.wanted =
          EngineStamp.wanted(
              Optional.empty(),
              run.documents(),
              plan.shards(),
              IndexLayout.ofEngine(run.arms().getFirst().settings()));
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
      return there.isPresent() ? there.getAsLong() : fill(access(), wanted);
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
   * A data directory for each layout that arms ask for, which one server fills, and a copy of it
   * for the server of each arm. Copies are beside the directory; servers of arms with and without
   * the plug-in have distributions of their own.
   */
  static final class OwnServers extends EngineSource {

    /** A data directory that arms start from. */
    private record Kept(Path directory, EngineStamp wanted) {

      /** What is in its place: its stamp if it is the wanted one; empty for nothing. */
      Optional<EngineStamp> requireFitting() throws StressException, IOException {
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
    }

    private final EngineSite.OwnServers site;
    private final int shards;
    private final Path scratch;
    private final Map<IndexLayout, Kept> kept = new LinkedHashMap<>();
    private final List<IndexLock> locks = new ArrayList<>();

    OwnServers(EnginePlan plan, EngineSite.OwnServers site, RunKind.Ground ground) {
      super(plan.run(), ground);
      this.site = site;
      this.shards = plan.shards();
      this.scratch = ground.workers().scratch().toAbsolutePath();
      Path base = run.index().orElse(scratch.resolve("index")).toAbsolutePath();
      for (IndexLayout layout : plan.layouts()) {
        kept.put(
            layout,
            new Kept(
                layout.place(base),
                EngineStamp.wanted(Optional.of(site.engine()), run.documents(), shards, layout)));
      }
    }

    @Override
    public Forecast check(DocumentSource documents) throws StressException, IOException {
      Optional<String> noHome = SearchEngine.of(site.engine()).obstacle(site.home());
      if (noHome.isPresent()) {
        throw usage("--engine-home must be a distribution of the engine: " + noHome.get());
      }
      requireVectors();
      if (site.plugin().isPresent() && !Files.isReadable(site.plugin().get())) {
        throw usage("--engine-plugin must be a file that can be read: " + site.plugin().get());
      }
      Optional<String> noServer = ServerUser.obstacle();
      if (noServer.isPresent()) {
        throw usage("--engine needs a server that can be started: " + noServer.get());
      }
      requireOpen("--out", run.out());
      List<Path> there = new ArrayList<>();
      for (Kept one : kept.values()) {
        requireOpen("--index", one.directory());
        if (Files.exists(one.directory().resolve(IndexWriter.WRITE_LOCK_NAME))) {
          IndexLock.hold(one.directory()).close(); // perhaps another run is filling it right now
        }
        if (one.requireFitting().isPresent()) {
          there.add(one.directory());
        }
      }
      Preflight.requireDisk(
          run,
          documents,
          there.isEmpty() ? place() : there.getFirst(),
          !there.isEmpty(),
          kept.size() - there.size());
      return new Forecast(
          run,
          "servers of %s from %s, each on a copy of %s"
              .formatted(
                  site.engine().label(),
                  site.home(),
                  kept.values().stream()
                      .map(one -> one.directory().toString())
                      .collect(Collectors.joining(" or "))));
    }

    private void requireVectors() throws StressException, IOException {
      int dims = DocumentVectors.of(run.documents()).dims();
      for (IndexLayout layout : kept.keySet()) {
        Optional<String> obstacle =
            dims == 0
                ? Optional.empty()
                : SearchEngine.of(site.engine())
                    .vectorObstacle(site.home(), dims, layout.vectors());
        if (obstacle.isPresent()) {
          throw usage(obstacle.get());
        }
      }
    }

    private static void requireOpen(String option, Path path) throws StressException, IOException {
      Optional<String> closed = ServerUser.obstacle(Preflight.nearestExisting(path));
      if (closed.isPresent()) {
        throw usage(
            "%s must be a directory that servers may use: %s".formatted(option, closed.get()));
      }
    }

    @Override
    public long make() throws StressException, IOException, InterruptedException {
      ground.listener().progress("index", "preparing the engine", OptionalDouble.empty(), "");
      for (Kept one : kept.values()) {
        Files.createDirectories(one.directory());
        locks.add(IndexLock.hold(one.directory()));
        one.requireFitting(); // another run may have filled it meanwhile
      }
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
      long documents = 0;
      for (IndexLayout layout : kept.keySet()) {
        long its = make(layout);
        if (its == 0) {
          return 0;
        }
        if (documents > 0 && documents != its) {
          throw usage(
              "--index must hold the same documents for all arms: %d in %s, %d in %s; delete one"
                  .formatted(documents, place(), its, kept.get(layout).directory()));
        }
        documents = its;
      }
      return documents;
    }

    private long make(IndexLayout layout)
        throws StressException, IOException, InterruptedException {
      Kept one = kept.get(layout);
      IndexCopy.deleteOfDeadRuns(one.directory(), ground.procfs());
      Optional<EngineStamp> there = one.requireFitting();
      return there.isPresent() ? there.get().documents() : fill(one, "filling" + layout.suffix());
    }

    private long fill(Kept one, String name)
        throws StressException, IOException, InterruptedException {
      Path data = EngineData.data(one.directory());
      EngineServer.Setup server =
          server(Preset.STOCK, data, JvmCommand.withHeap(List.of()), name, 0);
      long documents = 0;
      try {
        documents = fill(EngineAccess.to(server), one.wanted());
        if (documents > 0) {
          EngineData.recordFilled(one.directory(), one.wanted().filled(documents));
        }
        return documents;
      } finally {
        IndexCopy.deleteTree(server.files());
        if (documents == 0) {
          IndexCopy.deleteTree(data);
        }
      }
    }

    @Override
    public Start start(ArmQueue.Turn turn, int step, long documents) throws IOException {
      Path directory = kept.get(IndexLayout.ofEngine(turn.arm().settings())).directory();
      Path data = copies(directory).resolve(Integer.toString(step));
      Files.createDirectories(copies(directory));
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
      for (Kept one : kept.values()) {
        IndexCopy.deleteTree(copies(one.directory()));
      }
      IOUtils.close(locks);
    }

    private Path copies(Path directory) {
      return IndexCopy.directoryOf(directory, ground.procfs());
    }

    private Path home(Preset preset) {
      return scratch.resolve(preset == Preset.WEIR ? "home-weir" : "home-stock");
    }

    @Override
    public Path place() {
      return kept.values().iterator().next().directory();
    }

    @Override
    public Map<String, String> facts() {
      return Map.of("engine", site.engine().label(), "shards", Integer.toString(shards));
    }
  }
}
