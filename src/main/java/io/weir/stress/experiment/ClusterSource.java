package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.run.FailureWords;
import io.weir.stress.engine.ClusterIndex;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineQueries;
import io.weir.stress.engine.EngineStamp;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.QuerySource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The run's own index in a cluster that runs, which stays there; or one of the user's, which the
 * run only reads.
 */
final class ClusterSource implements IndexSource<EngineForecast> {

  private final EnginePlan plan;
  private final EngineSite.RunningCluster site;
  private final EngineStamp wanted;
  private final boolean changes;
  private boolean fills; // set by check
  private final RunContext context;

  ClusterSource(EnginePlan plan, EngineSite.RunningCluster site, RunContext context) {
    this.plan = plan;
    this.site = site;
    this.wanted =
        EngineStamp.wanted(
            Optional.empty(), plan.run().documents(), plan.shards(), plan.compound());
    this.changes =
        plan.run().arms().stream().anyMatch(arm -> site.api().changesDocuments(arm.settings()));
    this.context = context;
  }

  @Override
  public void check(DocumentSource documents) throws StressException {
    fills = find().isEmpty();
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
    ClusterIndex.Readable found = ClusterIndex.readable(site);
    if (found.documents() == 0) {
      throw usage(
          "%s at %s has no documents; with --updates-per-second the run fills it"
              .formatted(site.index(), site.url()));
    }
    if (!found.filledByRun() && plan.run().queries().kind() != QuerySource.Kind.FILE) {
      throw usage(
          "--queries must be a file for documents that are not of weir stress: " + site.index());
    }
    return found.documents();
  }

  @Override
  public EngineForecast forecast() {
    String index = "%s at %s".formatted(site.index(), site.url());
    return new EngineForecast(plan.run(), index + whatBecomesOfIt());
  }

  private String whatBecomesOfIt() {
    if (!changes) {
      return ", whose documents it does not change";
    }
    return fills
        ? ", which is filled with %s and stays there".formatted(plan.run().documents().source())
        : ", which stays there";
  }

  @Override
  public long make() throws StressException, IOException, InterruptedException {
    context.listener().intends(forecast());
    context.listener().progress("index", "preparing the engine", OptionalDouble.empty(), "");
    OptionalLong there = find();
    return there.isPresent()
        ? there.getAsLong()
        : new EngineIndexMaker(context).make(access(), wanted);
  }

  @Override
  public boolean draw(Path file) throws IOException {
    Files.write(file, EngineQueries.draw(plan.run().documents(), plan.run().queries().kind()));
    return true;
  }

  @Override
  public Start start(ArmQueue.Turn turn, int step, long documents) {
    return new EngineArmStart(plan.run(), context.files()).of(turn, access(), documents, () -> {});
  }

  private EngineAccess access() {
    return EngineAccess.to(site.api(), site.url(), site.index());
  }

  @Override
  public Path place() {
    return plan.run().out();
  }

  @Override
  public Map<String, String> facts() {
    return Map.of("target", site.url().getHost(), "target-index", site.index());
  }

  private static StressException usage(String message) {
    return new StressException(Kind.USAGE, message);
  }

  @Override
  public void close() {
    // The cluster keeps its index.
  }
}
