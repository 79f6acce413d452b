package io.weir.stress.engine;

import io.weir.procfs.Procfs;
import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.rest.Login;
import io.weir.stress.arm.StopRequest;
import io.weir.stress.plan.EngineApi;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Optional;

/**
 * How a worker gets at the index of a run: it starts a server, or asks one that runs.
 *
 * @param api how it is spoken to
 * @param server the one to start
 * @param cluster the address of one that runs; exactly one of the two is there
 * @param index its name
 */
public record EngineAccess(
    EngineApi api, Optional<EngineServer.Setup> server, Optional<URI> cluster, String index) {

  /** Refuses both and none. */
  public EngineAccess {
    Objects.requireNonNull(index, "index");
    if (server.isPresent() == cluster.isPresent()) {
      throw new IllegalArgumentException("an engine must have a server to start or an address");
    }
  }

  /** By a server that is to be started. */
  public static EngineAccess to(EngineServer.Setup server) {
    return new EngineAccess(
        server.engine().api(), Optional.of(server), Optional.empty(), EngineIndex.DEFAULT_NAME);
  }

  /** By a cluster that runs. */
  public static EngineAccess to(EngineApi api, URI cluster, String index) {
    return new EngineAccess(api, Optional.empty(), Optional.of(cluster), index);
  }

  /**
   * What the cluster asks for. It is in the environment of the worker and not here, because a task
   * is a file.
   */
  Optional<Login> login() {
    return cluster.isPresent() ? Login.ofEnvironment(System.getenv()) : Optional.empty();
  }

  /** Where the server's machine is described; empty if the server is on another machine. */
  Optional<Procfs> machine() {
    return cluster.isEmpty() || isHere(cluster.get().getHost())
        ? Optional.of(Procfs.SYSTEM)
        : Optional.empty();
  }

  private static boolean isHere(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * Starts the server, if there is one to start.
   *
   * @param stop gives up when it is asked, and ends all calls
   */
  Connection open(StopRequest stop) throws IOException, InterruptedException {
    if (server.isEmpty()) {
      EngineClient client = client(cluster.orElseThrow(), stop);
      return new Connection(Optional.empty(), client, EngineIndex.inCluster(api, client, index));
    }
    EngineServer.Setup setup = server.get();
    EngineServer started = EngineServer.start(setup, stop::isAsked);
    EngineClient client = client(started.url(), stop);
    return new Connection(
        Optional.of(started), client, SearchEngine.of(setup.engine()).index(client));
  }

  private EngineClient client(URI url, StopRequest stop) {
    EngineClient client = new EngineClient(url, login(), EngineClient.UNDER_LOAD);
    stop.onAsk(client::close);
    return client;
  }

  /**
   * A client, and the server behind it if this started one.
   *
   * <p><b>Ownership:</b> {@link #close} ends both.
   */
  static final class Connection implements Closeable {

    private final Optional<EngineServer> server;
    private final EngineClient client;
    private final EngineIndex index;

    private Connection(Optional<EngineServer> server, EngineClient client, EngineIndex index) {
      this.server = server;
      this.client = client;
      this.index = index;
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
}
