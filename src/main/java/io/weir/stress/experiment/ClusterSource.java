package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.stress.engine.ClusterIndex;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineQueries;
import io.weir.stress.engine.EngineStamp;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The run's own index in a cluster that runs; it stays there. */
final class ClusterSource implements IndexSource<EngineForecast> {

  private final EnginePlan plan;
  private final EngineSite.RunningCluster site;
  private final EngineStamp wanted;
  private final RunContext context;

  ClusterSource(EnginePlan plan, EngineSite.RunningCluster site, RunContext context) {
    this.plan = plan;
    this.site = site;
    this.wanted =
        EngineStamp.wanted(
            Optional.empty(), plan.run().documents(), plan.shards(), plan.compound());
    this.context = context;
  }

  @Override
  public void check(DocumentSource documents) throws StressException {
    find();
  }

  private OptionalLong find() throws StressException {
    try {
      return ClusterIndex.documents(site.url(), site.login(), site.index(), wanted);
    } catch (IOException e) {
      throw new StressException(
          Kind.USAGE,
          "--target must be a cluster that answers, and --target-index one of the run's own or"
              + " none: "
              + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StressException(Kind.BROKEN, "interrupted while --target was asked");
    }
  }

  @Override
  public EngineForecast forecast() {
    return new EngineForecast(
        plan.run(), "the index %s at %s, which stays there".formatted(site.index(), site.url()));
  }

  @Override
  public long make() throws StressException, IOException, InterruptedException {
    context.listener().progress("index", "preparing the engine", OptionalDouble.empty(), "");
    OptionalLong there = find();
    return there.isPresent()
        ? there.getAsLong()
        : new EngineIndexMaker(context).make(EngineAccess.to(site.url(), site.index()), wanted);
  }

  @Override
  public boolean draw(Path file) throws IOException {
    Files.write(file, EngineQueries.draw(plan.run().documents(), plan.run().queries().kind()));
    return true;
  }

  @Override
  public Start start(ArmQueue.Turn turn, int step, long documents) {
    return new EngineArmStart(plan.run(), context.files())
        .of(turn, EngineAccess.to(site.url(), site.index()), documents, () -> {});
  }

  @Override
  public Path place() {
    return plan.run().out();
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
