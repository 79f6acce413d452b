package io.weir.stress.engine;

import io.weir.rest.EngineClient;
import io.weir.run.RunJson;
import io.weir.run.Values;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.arm.meters.VectorRecall;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.queries.SearchQuery;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * An index in a cluster that runs, whose documents have the vectors of {@code weir stress}: what
 * another client sends to search it, and how good its answers are. It is only read.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> an {@link IOException} with one line. <b>Ownership:</b>
 * {@link #close} ends its connections.
 */
public final class ClusterVectors implements Closeable {

  private static final Duration ANSWERING = Duration.ofSeconds(30);

  private final EngineClient client;
  private final EngineIndex index;
  private final Documents documents;
  private final DocumentVectors vectors;

  private ClusterVectors(EngineClient client, EngineIndex index, Documents documents)
      throws IOException {
    this.client = client;
    this.index = index;
    this.documents = documents;
    this.vectors = DocumentVectors.of(documents);
  }

  /**
   * Looks at the index.
   *
   * @throws IOException when no cluster answers, or when the index does not hold {@code documents}
   */
  public static ClusterVectors open(EngineSite.RunningCluster site, Documents documents)
      throws IOException, InterruptedException {
    EngineClient client = new EngineClient(site.url(), site.login(), ANSWERING);
    try {
      EngineIndex index = EngineIndex.inCluster(site.api(), client, site.index());
      index.look();
      ClusterIndex.requireVectorsOf(index, documents, site.index());
      return new ClusterVectors(client, index, documents);
    } catch (IOException | InterruptedException | RuntimeException e) {
      client.close();
      throw e;
    }
  }

  /** The body of a search for each query, for the path {@code _search} or {@code select}. */
  public List<String> bodies(List<SearchQuery> queries) throws IOException, InterruptedException {
    List<String> bodies = new ArrayList<>();
    for (SearchQuery query : queries) {
      bodies.add(RunJson.line(index.request(query, vectors, Searches.TOP)));
    }
    return bodies;
  }

  /**
   * The share of the nearest neighbours that it finds, of a sample of queries.
   *
   * @param stopped whether to end early, with nothing
   */
  public Values recall(List<SearchQuery> queries, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    return VectorRecall.of(index, VectorRecall.sample(queries, vectors, documents.seed()), stopped);
  }

  @Override
  public void close() {
    client.close();
  }
}
