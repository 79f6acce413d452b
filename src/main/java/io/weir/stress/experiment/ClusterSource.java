package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.stress.engine.ClusterIndex;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.EnginePlan;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.worker.WorkerAnswer;
import io.weir.stress.worker.WorkerTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/** The run's own index in a cluster that runs; it stays there. */
final class ClusterSource implements EngineIndexSource {

  private final EnginePlan plan;
  private final EngineSite.RunningCluster site;
  private final Workers workers;

  ClusterSource(EnginePlan plan, EngineSite.RunningCluster site, Workers workers) {
    this.plan = plan;
    this.site = site;
    this.workers = workers;
  }

  @Override
  public void check(DocumentSource documents) throws StressException {
    find();
  }

  private OptionalLong find() throws StressException {
    try {
      return ClusterIndex.documents(site.url(), site.index(), plan.run().documents());
    } catch (IOException e) {
      throw new StressException(
          Kind.USAGE,
          "--target must be a cluster that answers, and --target-index one of the run's own or none:"
              + " "
              + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StressException(Kind.BROKEN, "interrupted while --target was asked");
    }
  }

  @Override
  public String forecast() {
    return "the index %s at %s, which stays there".formatted(site.index(), site.url());
  }

  @Override
  public long make() throws StressException, IOException, InterruptedException {
    OptionalLong there = find();
    if (there.isPresent()) {
      return there.getAsLong();
    }
    WorkerTask task =
        new WorkerTask.BuildInEngine(
            new EngineBuild.Setup(
                EngineAccess.to(site.url(), site.index()),
                plan.run().documents(),
                plan.shards(),
                plan.compound(),
                plan.run().documents().maxDocuments()));
    WorkerEnd end = workers.run("index", WorkerJvm.SAME, task);
    return workers.stopped()
        ? 0
        : end.orThrow(WorkerAnswer.IndexMade.class, "filling the index").documents();
  }

  @Override
  public EngineAccess access(ArmQueue.Turn turn, int step) {
    return EngineAccess.to(site.url(), site.index());
  }

  @Override
  public void ended(int step) {
    // The cluster keeps its index.
  }

  @Override
  public Path place() {
    return plan.run().out();
  }

  @Override
  public Map<String, String> facts() {
    return Map.of("target", site.url().getHost(), "target-index", site.index());
  }
}
