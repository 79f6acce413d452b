package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.jvm.JvmCommand;
import io.weir.procfs.Procfs;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineData;
import io.weir.stress.engine.EngineQueries;
import io.weir.stress.engine.EngineServer;
import io.weir.stress.engine.EngineStamp;
import io.weir.stress.engine.SearchEngine;
import io.weir.stress.engine.ServerUser;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.Preset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;

/**
 * A data directory that one server fills, and a copy of it for the server of each arm. Copies are
 * beside the directory; servers of arms with and without the plug-in have distributions of their
 * own.
 */
final class OwnServerSource implements IndexSource<EngineForecast> {

  private final EnginePlan plan;
  private final StressPlan run;
  private final EngineSite.OwnServers site;
  private final EngineStamp wanted;
  private final RunContext context;
  private final Path scratch;
  private final Path directory;
  private Optional<IndexLock> lock = Optional.empty();

  /** A source that has looked at nothing yet. */
  OwnServerSource(EnginePlan plan, EngineSite.OwnServers site, RunContext context) {
    this.plan = plan;
    this.run = plan.run();
    this.site = site;
    this.wanted =
        EngineStamp.wanted(
            Optional.of(site.engine()), run.documents(), plan.shards(), plan.compound());
    this.context = context;
    this.scratch = context.workers().scratch().toAbsolutePath();
    this.directory = run.index().orElse(scratch.resolve("index")).toAbsolutePath();
  }

  @Override
  public void check(DocumentSource documents) throws StressException, IOException {
    Optional<String> noHome = SearchEngine.of(site.engine()).obstacle(site.home());
    if (noHome.isPresent()) {
      throw usage("--engine-home must be a distribution of the engine: " + noHome.get());
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
    Preflight.requireDisk(run, documents, directory, there.isPresent(), there.isPresent() ? 0 : 1);
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
  public EngineForecast forecast() {
    return new EngineForecast(
        run,
        "servers of %s from %s, each on a copy of %s"
            .formatted(site.engine().label(), site.home(), directory));
  }

  @Override
  public long make() throws StressException, IOException, InterruptedException {
    context.listener().progress("index", "preparing the engine", OptionalDouble.empty(), "");
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
              site.home(), preset == Preset.WEIR ? site.plugin() : Optional.empty(), home(preset));
    }
    IndexCopy.deleteOfDeadRuns(directory, Procfs.SYSTEM);
    return there.isPresent() ? there.get().documents() : fill();
  }

  private long fill() throws StressException, IOException, InterruptedException {
    EngineServer.Setup server =
        server(
            Preset.STOCK, EngineData.data(directory), JvmCommand.withHeap(List.of()), "filling", 0);
    long documents = 0;
    try {
      documents = new EngineIndexMaker(context).make(EngineAccess.to(server), wanted);
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
  public boolean draw(Path file) throws IOException {
    Files.write(file, EngineQueries.draw(run.documents(), run.queries().kind()));
    return true;
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
    return new EngineArmStart(run, context.files())
        .of(turn, EngineAccess.to(server), documents, () -> delete(server));
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
        context.files().serverLog(name, round).toAbsolutePath(),
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
    return IndexCopy.directoryOf(directory, Procfs.SYSTEM);
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
    return Map.of("engine", site.engine().label(), "shards", Integer.toString(plan.shards()));
  }

  private static StressException usage(String message) {
    return new StressException(Kind.USAGE, message);
  }
}
