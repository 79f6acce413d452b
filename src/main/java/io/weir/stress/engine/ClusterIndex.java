package io.weir.stress.engine;

import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
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
      EngineIndex there = EngineIndex.inCluster(site.api(), client, index);
      requireVectors(there, wanted);
      Optional<EngineStamp> stamp = there.stamp();
      if (stamp.isEmpty()) {
        return OptionalLong.empty();
      }
      EngineStamp made = stamp.get();
      requireFilled(made, index);
      if (!made.matches(wanted)) {
        throw new EngineException(
            "the index %s holds %s, this run asks for %s: delete it, or choose another"
                .formatted(index, made, wanted));
      }
      return OptionalLong.of(made.documents());
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
   * @param wanted the documents of the run, of which only vectors must be there
   * @throws IOException with one line when no cluster answers, or there is no such index, or it
   *     cannot be searched
   */
  public static Readable readable(EngineSite.RunningCluster site, Documents wanted)
      throws IOException, InterruptedException {
    try (EngineClient client = new EngineClient(site.url(), site.login(), ANSWERING)) {
      EngineIndex index = EngineIndex.inCluster(site.api(), client, site.index());
      index.awaitHealth();
      index.prepare(ArmSettings.DEFAULT);
      if (wanted.vectors().isPresent()) {
        requireVectorsOf(index, wanted, site.index());
      }
      long documents = index.documents();
      if (documents > 0) {
        index.search(ANY_QUERY, DocumentVectors.NONE, 1);
      }
      return new Readable(documents, isStamped(index));
    }
  }

  private static void requireFilled(EngineStamp made, String index) throws EngineException {
    if (made.documents() == 0) {
      throw new EngineException(
          "the index %s was not filled to its end; delete it, or its documents".formatted(index));
    }
  }

  private static void requireVectors(EngineIndex index, EngineStamp wanted)
      throws IOException, InterruptedException {
    int dims = DocumentVectors.of(wanted.from()).dims();
    if (dims > 0) {
      index.requireVectors(dims, wanted.vectorFormat());
    }
  }

  /** Vectors of others would be far from all that a run searches for. */
  static void requireVectorsOf(EngineIndex index, Documents wanted, String name)
      throws IOException, InterruptedException {
    Optional<EngineStamp> stamp = isStamped(index) ? index.stamp() : Optional.empty();
    if (stamp.filter(made -> made.from().equals(wanted)).isEmpty()) {
      throw new EngineException(
          "vectors need documents that weir stress has filled from %s: %s holds %s"
              .formatted(
                  wanted, name, stamp.map(made -> made.from().toString()).orElse("none of a run")));
    }
    requireFilled(stamp.get(), name);
  }

  private static boolean isStamped(EngineIndex index) throws IOException, InterruptedException {
    try {
      return index.stamp().isPresent();
    } catch (EngineException e) {
      return false;
    }
  }
}
