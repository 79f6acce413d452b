package io.weir.stress.engine;

import io.weir.stress.arm.StopRequest;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/**
 * A client, and the server behind it if this started one.
 *
 * <p><b>Ownership:</b> {@link #close} ends both.
 */
final class EngineConnection implements Closeable {

  private final Optional<EngineServer> server;
  private final EngineClient client;
  private final EngineIndex index;

  private EngineConnection(Optional<EngineServer> server, EngineClient client, EngineIndex index) {
    this.server = server;
    this.client = client;
    this.index = index;
  }

  /**
   * Starts the server, if there is one to start.
   *
   * @param stop gives up when it is asked, and ends all calls
   */
  static EngineConnection open(EngineAccess access, StopRequest stop)
      throws IOException, InterruptedException {
    if (access.server().isEmpty()) {
      EngineClient client = client(access.cluster().orElseThrow(), access, stop);
      return new EngineConnection(
          Optional.empty(), client, EngineIndex.inCluster(access.api(), client, access.index()));
    }
    EngineServer.Setup setup = access.server().get();
    EngineServer server = EngineServer.start(setup, stop::isAsked);
    EngineClient client = client(server.url(), access, stop);
    return new EngineConnection(
        Optional.of(server), client, SearchEngine.of(setup.engine()).index(client));
  }

  private static EngineClient client(URI url, EngineAccess access, StopRequest stop) {
    EngineClient client = new EngineClient(url, access.login(), EngineClient.UNDER_LOAD);
    stop.onAsk(client::close);
    return client;
  }

  /**
   * Why a call failed: the server's own end, or {@code failure} if it has not ended. Waits up to
   * one second for that end.
   */
  IOException explain(IOException failure) throws InterruptedException {
    Optional<String> end = server.isPresent() ? server.get().end() : Optional.empty();
    return end.<IOException>map(reason -> new EngineException(reason, failure)).orElse(failure);
  }

  EngineIndex index() {
    return index;
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
