package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A client, and the server behind it if this started one.
 *
 * <p><b>Ownership:</b> {@link #close} ends both.
 */
final class EngineConnection implements Closeable {

  /** Names no distribution in its answer. */
  private static final String ELASTICSEARCH = "elasticsearch";

  private final Optional<EngineServer> server;
  private final EngineClient client;
  private final RestIndex index;

  private EngineConnection(Optional<EngineServer> server, EngineClient client, String index) {
    this.server = server;
    this.client = client;
    this.index = new RestIndex(client, index);
  }

  /**
   * Starts the server, if there is one to start.
   *
   * @param stop gives up when it is asked, and ends all calls
   */
  static EngineConnection open(EngineAccess access, EngineStop stop)
      throws IOException, InterruptedException {
    if (access.server().isEmpty()) {
      return connect(Optional.empty(), access.cluster().orElseThrow(), access, stop);
    }
    EngineServer server = EngineServer.start(access.server().get(), stop::isAsked);
    return connect(Optional.of(server), server.url(), access, stop);
  }

  private static EngineConnection connect(
      Optional<EngineServer> server, URI url, EngineAccess access, EngineStop stop) {
    EngineClient client = new EngineClient(url, access.login(), EngineClient.UNDER_LOAD);
    stop.ends(client);
    return new EngineConnection(server, client, access.index());
  }

  /**
   * Why a call failed: the server's own end, or {@code failure} if it has not ended. Waits up to
   * one second for that end.
   */
  IOException explain(IOException failure) throws InterruptedException {
    Optional<String> end = server.isPresent() ? server.get().end() : Optional.empty();
    return end.<IOException>map(reason -> new EngineException(reason, failure)).orElse(failure);
  }

  EngineClient client() {
    return client;
  }

  RestIndex index() {
    return index;
  }

  /** Its name and version, such as {@code opensearch 3.8.0}; a mixed cluster has several. */
  String version() throws IOException, InterruptedException {
    Set<String> versions = new TreeSet<>();
    for (JsonNode node : client.get("/_nodes?filter_path=nodes.*.version").path("nodes")) {
      versions.add(node.path("version").asText());
    }
    return name() + " " + String.join(", ", versions);
  }

  private String name() throws IOException, InterruptedException {
    try {
      return client.get("/").path("version").path("distribution").asText(ELASTICSEARCH);
    } catch (EngineException e) {
      return ELASTICSEARCH; // its distribution for tests does not answer there
    }
  }

  /** Ends calls that wait; the server goes on. */
  void hangUp() {
    client.close();
  }

  @Override
  public void close() {
    client.close();
    server.ifPresent(EngineServer::close);
  }
}
