package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.run.FailureWords;
import io.weir.stress.engine.ClusterIndex;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineStamp;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.QuerySource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The run's own index in a cluster that runs, which stays there; or one of the user's, which the
 * run only reads.
 */
final class ClusterSource extends EngineSource {

  private final EngineSite.RunningCluster site;
  private final boolean changes;
  private boolean fills; // set by check

  ClusterSource(EnginePlan plan, EngineSite.RunningCluster site, RunKind.Ground ground) {
    super(
        plan.run(),
        ground,
        EngineStamp.wanted(
            Optional.empty(), plan.run().documents(), plan.shards(), plan.compound()));
    this.site = site;
    this.changes = run.arms().stream().anyMatch(arm -> site.api().changesDocuments(arm.settings()));
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
    if (!found.filledByRun() && run.queries().kind() != QuerySource.Kind.FILE) {
      throw usage(
          "--queries must be a file for documents that are not of weir stress: " + site.index());
    }
    return found.documents();
  }

  @Override
  public EngineForecast forecast() {
    String index = "%s at %s".formatted(site.index(), site.url());
    return new EngineForecast(run, index + whatBecomesOfIt());
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
