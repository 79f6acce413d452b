package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.engine.EngineData;
import io.weir.stress.engine.EngineHome;
import io.weir.stress.engine.EngineServer;
import io.weir.stress.engine.ServerUser;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.result.RunFiles;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.Preset;
import io.weir.stress.worker.WorkerAnswer;
import io.weir.stress.worker.WorkerTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;

/**
 * A data directory that one server fills, and a copy of it for the server of each arm. Copies are
 * beside the directory; servers of arms with and without the plug-in have distributions of their
 * own.
 */
final class OwnServerSource implements EngineIndexSource {

  private final EnginePlan plan;
  private final StressPlan run;
  private final EngineSite.OwnServers site;
  private final Workers workers;
  private final RunFiles files;
  private final Path scratch;
  private final Path directory;

  /** A source that has looked at nothing yet. */
  OwnServerSource(EnginePlan plan, EngineSite.OwnServers site, Workers workers, RunFiles files) {
    this.plan = plan;
    this.run = plan.run();
    this.site = site;
    this.workers = workers;
    this.files = files;
    this.scratch = workers.scratch().toAbsolutePath();
    this.directory = run.index().orElse(scratch.resolve("index")).toAbsolutePath();
  }

  @Override
  public void check(DocumentSource documents) throws StressException, IOException {
    Optional<String> noHome = EngineHome.obstacle(site.engine(), site.home());
    if (noHome.isPresent()) {
      throw usage("--engine-home must be a distribution of the engine: " + noHome.get());
    }
    if (site.plugin().isPresent() && !Files.isReadable(site.plugin().get())) {
      throw usage("--engine-plugin must be a zip that can be read: " + site.plugin().get());
    }
    for (Path path : List.of(run.out(), directory)) {
      Optional<String> closed = ServerUser.obstacle(Preflight.nearestExisting(path));
      if (closed.isPresent()) {
        throw usage(
            "%s must be a directory that servers may use: %s"
                .formatted(path.equals(directory) ? "--index" : "--out", closed.get()));
      }
    }
    Optional<EngineData.Stamp> there = stamp();
    if (there.isPresent() && !fits(there.get())) {
      EngineData.Stamp stamp = there.get();
      throw usage(
          ("--index holds %s in %s, %d shards, compound=%s, and this run asks for something else:"
                  + " choose another --index, or delete %s")
              .formatted(
                  stamp.from(),
                  stamp.engine().label(),
                  stamp.shards(),
                  stamp.compound(),
                  directory));
    }
    if (there.isEmpty() && isOccupied()) {
      throw usage(
          "--index must hold a data directory that weir stress has filled, or nothing: "
              + directory);
    }
    Preflight.requireDisk(run, documents, directory, there.isPresent(), there.isPresent() ? 0 : 1);
  }

  private boolean fits(EngineData.Stamp stamp) {
    return stamp.answers(site.engine(), run.documents(), plan.shards(), plan.compound());
  }

  private Optional<EngineData.Stamp> stamp() throws IOException {
    return EngineData.stamp(directory);
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
  public String forecast() {
    return "servers of %s from %s, each on a copy of %s"
        .formatted(site.engine().label(), site.home(), directory);
  }

  @Override
  public long make() throws StressException, IOException, InterruptedException {
    Set<Preset> presets =
        run.arms().stream()
            .map(arm -> arm.settings().get(ArmSetting.PRESET))
            .collect(Collectors.toSet());
    presets.add(Preset.STOCK); // fills the index
    for (Preset preset : presets) {
      EngineHome.copy(
          site.engine(),
          site.home(),
          preset == Preset.WEIR ? site.plugin() : Optional.empty(),
          home(preset));
    }
    IndexCopy.deleteOfDeadRuns(directory);
    Files.createDirectories(directory);
    Optional<EngineData.Stamp> there = stamp();
    return there.isPresent() ? there.get().documents() : fill();
  }

  private long fill() throws StressException, IOException, InterruptedException {
    EngineServer.Setup server =
        server(
            Preset.STOCK, EngineData.data(directory), JvmHeap.orDefault(List.of()), "filling", 0);
    WorkerTask task =
        new WorkerTask.BuildInEngine(
            new EngineBuild.Setup(
                EngineAccess.to(server),
                run.documents(),
                plan.shards(),
                plan.compound(),
                run.documents().maxDocuments()));
    long documents = 0;
    try {
      WorkerEnd end = workers.run("index", WorkerJvm.SAME, task);
      if (workers.stopped()) {
        return 0;
      }
      documents = end.orThrow(WorkerAnswer.IndexMade.class, "filling the index").documents();
      if (documents == 0) {
        throw usage(
            "--docs must hold at least 1 document that can be read: " + run.documents().source());
      }
      EngineData.recordFilled(
          directory,
          new EngineData.Stamp(
              site.engine(), run.documents(), plan.shards(), plan.compound(), documents));
      return documents;
    } finally {
      IndexCopy.deleteTree(server.files());
      if (documents == 0) {
        IndexCopy.deleteTree(EngineData.data(directory));
      }
    }
  }

  @Override
  public EngineAccess access(ArmQueue.Turn turn, int step) throws IOException {
    Path data = copy(step);
    Files.createDirectories(data.getParent());
    EngineData.copy(directory, data);
    return EngineAccess.to(
        server(
            turn.arm().settings().get(ArmSetting.PRESET),
            data,
            JvmHeap.orDefault(turn.arm().settings().get(ArmSetting.JVM_ARGS)),
            turn.arm().name(),
            turn.round()));
  }

  private EngineServer.Setup server(
      Preset preset, Path data, List<String> jvmArguments, String name, int round) {
    return new EngineServer.Setup(
        site.engine(),
        home(preset),
        data,
        scratch.resolve("server"),
        files.serverLog(name, round).toAbsolutePath(),
        jvmArguments);
  }

  @Override
  public void ended(int step) throws IOException {
    IndexCopy.deleteTree(scratch.resolve("server"));
    IndexCopy.deleteTree(copy(step));
    Files.deleteIfExists(copy(step).getParent());
  }

  private Path copy(int step) {
    return IndexCopy.directoryOf(directory, ProcessHandle.current().pid())
        .resolve(Integer.toString(step));
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
