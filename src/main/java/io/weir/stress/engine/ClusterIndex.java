package io.weir.stress.engine;

import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** The index of a run in a cluster that the run has not started. */
public final class ClusterIndex {

  private static final Duration ANSWERING = Duration.ofSeconds(30);
  private static final SearchQuery ANY_QUERY = SearchQuery.term("weir");

  private ClusterIndex() {}

  /**
   * How many documents it was filled with; empty if there is no such index, or an empty one of
   * Solr's that the run is to fill.
   *
   * @param wanted what the run wants it to be
   * @throws IOException with one line when no cluster answers, when no run made the index, or it
   *     was made as another one, or not filled to its end
   */
  public static OptionalLong filled(EngineSite.RunningCluster site, EngineStamp wanted)
      throws IOException, InterruptedException {
    try (EngineClient client = new EngineClient(site.url(), site.login(), ANSWERING)) {
      String index = site.index();
      Optional<EngineStamp> stamp = EngineIndex.inCluster(site.api(), client, index).stamp();
      if (stamp.isEmpty()) {
        return OptionalLong.empty();
      }
      EngineStamp there = stamp.get();
      if (there.documents() == 0) {
        throw new EngineException(
            "the index %s was not filled to its end; delete it, or its documents".formatted(index));
      }
      if (!there.matches(wanted)) {
        throw new EngineException(
            "the index %s holds %s, this run asks for %s: delete it, or choose another"
                .formatted(index, there, wanted));
      }
      return OptionalLong.of(there.documents());
    }
  }

  /**
   * What a run finds that changes no document.
   *
   * @param documents how many
   * @param filledByRun whether they are documents of {@code weir stress}
   */
  public record Readable(long documents, boolean filledByRun) {}

  /**
   * What a run that changes no document can search.
   *
   * @throws IOException with one line when no cluster answers, or there is no such index, or it
   *     cannot be searched
   */
  public static Readable readable(EngineSite.RunningCluster site)
      throws IOException, InterruptedException {
    try (EngineClient client = new EngineClient(site.url(), site.login(), ANSWERING)) {
      EngineIndex index = EngineIndex.inCluster(site.api(), client, site.index());
      index.awaitHealth();
      index.prepare(ArmSettings.DEFAULT);
      long documents = index.documents();
      if (documents > 0) {
        index.search(ANY_QUERY, DocumentVectors.NONE, 1);
      }
      return new Readable(documents, isStamped(index));
    }
  }

  private static boolean isStamped(EngineIndex index) throws IOException, InterruptedException {
    try {
      return index.stamp().isPresent();
    } catch (EngineException e) {
      return false;
    }
  }
}
