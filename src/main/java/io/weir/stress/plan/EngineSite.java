package io.weir.stress.plan;

import io.weir.rest.EngineAddress;
import io.weir.rest.Login;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where the engine of a run is. */
public sealed interface EngineSite {

  /** How a run speaks to it. */
  EngineApi api();

  /**
   * Servers that the run starts and ends, one for each arm.
   *
   * @param home an unpacked distribution, which is left as it is
   * @param plugin Weir's plug-in for it; empty if no arm needs it
   */
  record OwnServers(Engine engine, Path home, Optional<Path> plugin) implements EngineSite {

    @Override
    public EngineApi api() {
      return engine.api();
    }
  }

  /**
   * A cluster that runs already.
   *
   * @param url of one of its nodes, without a name and a password
   * @param login what the cluster asks for; empty if it asks for nothing
   * @param index the name of the index, or of Solr's collection
   */
  record RunningCluster(EngineApi api, URI url, Optional<Login> login, String index)
      implements EngineSite {

    /** The name of an index that the user does not name. */
    public static final String DEFAULT_INDEX = "weir-stress";

    /** Refuses what cannot be asked over HTTP, and names that no index can have. */
    public RunningCluster {
      if (!EngineAddress.canBeAsked(url)) {
        throw new IllegalArgumentException(
            "target must be the address of a node, such as %s: %s"
                .formatted(api.example(), url.toString().replaceFirst(".*@", "***@")));
      }
      if (url.getRawUserInfo() != null) {
        throw new IllegalArgumentException("the name and password must not be in the address");
      }
      api.checkIndex(index);
    }

    /**
     * The cluster at an address as a user gives it.
     *
     * @param address may hold a name and a password, which go before those of the environment; of
     *     Solr {@code solr:URL/COLLECTION}
     * @param index the one that the user names; of Solr the address has it
     * @param environment the environment variables of this process
     */
    public static RunningCluster at(
        URI address, Optional<String> index, Map<String, String> environment) {
      EngineAddress node = EngineAddress.of(address, environment);
      if (!node.isSolr()) {
        return new RunningCluster(
            EngineApi.REST, node.url(), node.login(), index.orElse(DEFAULT_INDEX));
      }
      if (index.isPresent()) {
        throw new IllegalArgumentException(
            "target-index is not for Solr, because the target ends with the collection: "
                + index.get());
      }
      String path = Optional.ofNullable(node.url().getRawPath()).orElse("").replaceAll("/+$", "");
      int name = path.lastIndexOf('/') + 1;
      return new RunningCluster(
          EngineApi.SOLR,
          EngineAddress.withPath(node.url(), path.substring(0, Math.max(0, name - 1))),
          node.login(),
          path.substring(name));
    }
  }
}
