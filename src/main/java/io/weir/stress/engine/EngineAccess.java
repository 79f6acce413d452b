package io.weir.stress.engine;

import io.weir.procfs.Procfs;
import io.weir.stress.plan.EngineApi;
import io.weir.stress.plan.Login;
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
}
