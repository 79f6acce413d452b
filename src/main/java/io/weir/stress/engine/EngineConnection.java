package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A client, and the server behind it if this started one.
 *
 * <p><b>Ownership:</b> {@link #close} ends both.
 */
final class EngineConnection implements Closeable {

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

  EngineClient client() {
    return client;
  }

  EngineIndex index() {
    return index;
  }

  /** Its name and version: {@code opensearch 3.8.0}. */
  String version() throws IOException, InterruptedException {
    JsonNode version = client.get("/").path("version");
    return version.path("distribution").asText("elasticsearch")
        + " "
        + version.path("number").asText();
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
