package io.weir.stress.engine;

import io.weir.rest.EngineClient;
import io.weir.stress.plan.Engine;
import io.weir.stress.setting.VectorFormat;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A search engine whose servers a run starts: what a distribution of it holds, how a server is
 * started, and how its index is used. Nothing outside of an implementation asks which engine it is.
 */
public interface SearchEngine {

  /** The implementation for {@code engine}. */
  static SearchEngine of(Engine engine) {
    return switch (engine) {
      case OPENSEARCH -> RestEngine.OPENSEARCH;
      case ELASTICSEARCH -> RestEngine.ELASTICSEARCH;
      case SOLR -> SolrEngine.SOLR;
    };
  }

  /** Why a directory is no distribution of the engine; empty if it is one. */
  Optional<String> obstacle(Path home);

  /** Why documents in a distribution cannot have such vectors; empty if they can. */
  Optional<String> vectorObstacle(Path home, int dims, VectorFormat format);

  /**
   * Makes a distribution for one run, with one plug-in at most, beside those that vectors need.
   *
   * @param home the distribution to copy, which is left as it is
   * @param plugin its file; empty for none
   * @param dims of the vectors of documents; 0 for none
   * @param to a directory that is not there
   */
  void copy(Path home, Optional<Path> plugin, int dims, Path to)
      throws IOException, InterruptedException;

  /** Writes the configuration of a server, once, below the files of {@code setup}. */
  void configure(EngineServer.Setup setup) throws IOException;

  /**
   * A server that is ready to be started, with a configuration that is there. After it has ended,
   * another one may follow.
   *
   * @param place for the server alone; its directories are there
   */
  ProcessBuilder server(EngineServer.Setup setup, EngineServer.Place place) throws IOException;

  /** Where a server with this port answers. */
  URI url(int httpPort);

  /** A path that a server answers with success as soon as an index can be made or used. */
  String healthPath();

  /** The index of a run on a server of its own. */
  EngineIndex index(EngineClient client);
}
