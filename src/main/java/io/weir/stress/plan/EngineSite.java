package io.weir.stress.plan;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
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

    private static final String SOLR = "solr:";

    /** Refuses what cannot be asked over HTTP, and names that no index can have. */
    public RunningCluster {
      String scheme = Optional.ofNullable(url.getScheme()).orElse("").toLowerCase(Locale.ROOT);
      if (!(scheme.equals("http") || scheme.equals("https")) || url.getHost() == null) {
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
      if (!address.toString().startsWith(SOLR)) {
        return new RunningCluster(
            EngineApi.REST,
            withoutUserInfo(address),
            login(address, environment),
            index.orElse(DEFAULT_INDEX));
      }
      if (index.isPresent()) {
        throw new IllegalArgumentException(
            "target-index is not for Solr, because the target ends with the collection: "
                + index.get());
      }
      URI collection = URI.create(address.getRawSchemeSpecificPart());
      String path = Optional.ofNullable(collection.getRawPath()).orElse("").replaceAll("/+$", "");
      int name = path.lastIndexOf('/') + 1;
      return new RunningCluster(
          EngineApi.SOLR,
          collection.getHost() == null
              ? collection
              : of(collection, path.substring(0, Math.max(0, name - 1))),
          login(collection, environment),
          path.substring(name));
    }

    private static Optional<Login> login(URI address, Map<String, String> environment) {
      return Optional.ofNullable(address.getUserInfo())
          .map(Login::ofUserInfo)
          .or(() -> Login.ofEnvironment(environment));
    }

    private static URI withoutUserInfo(URI address) {
      if (address.getRawUserInfo() == null) {
        return address;
      }
      return of(address, address.getRawPath());
    }

    /** The same node, with another path and without user info. */
    private static URI of(URI address, String path) {
      String authority = address.getRawAuthority();
      return URI.create(
          "%s://%s%s"
              .formatted(
                  address.getScheme(), authority.substring(authority.lastIndexOf('@') + 1), path));
    }
  }
}
