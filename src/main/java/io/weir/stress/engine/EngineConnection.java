package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

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
  private final EngineIndex index;

  private EngineConnection(Optional<EngineServer> server, EngineClient client, String index) {
    this.server = server;
    this.client = client;
    this.index = new EngineIndex(client, index);
  }

  /**
   * Starts the server, if there is one to start.
   *
   * @param stopped gives up when this becomes true
   */
  static EngineConnection open(EngineAccess access, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    if (access.server().isEmpty()) {
      EngineClient client = new EngineClient(access.cluster().orElseThrow());
      return new EngineConnection(Optional.empty(), client, access.index());
    }
    EngineServer server = EngineServer.start(access.server().get(), stopped);
    return new EngineConnection(
        Optional.of(server), new EngineClient(server.url()), access.index());
  }

  /** Why a call failed: the server's own end, or {@code failure} if it has not ended. */
  IOException explain(IOException failure) throws InterruptedException {
    Optional<String> end = server.isPresent() ? server.get().end() : Optional.empty();
    return end.<IOException>map(EngineException::new).orElse(failure);
  }

  EngineClient client() {
    return client;
  }

  EngineIndex index() {
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
