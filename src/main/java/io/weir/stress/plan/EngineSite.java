package io.weir.stress.plan;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Where the engine of a run is. */
public sealed interface EngineSite {

  /**
   * Servers that the run starts and ends, one for each arm.
   *
   * @param home an unpacked distribution, which is left as it is
   * @param plugin Weir's plug-in for it; empty if no arm needs it
   */
  record OwnServers(Engine engine, Path home, Optional<Path> plugin) implements EngineSite {}

  /**
   * A cluster that runs already.
   *
   * @param url of one of its nodes, without a name and a password
   * @param login what the cluster asks for; empty if it asks for nothing
   * @param index the name of the run's own index, which is made if it is not there
   */
  record RunningCluster(URI url, Optional<Login> login, String index) implements EngineSite {

    /** Refuses what cannot be asked over HTTP, and names that no index can have. */
    public RunningCluster {
      String scheme = Optional.ofNullable(url.getScheme()).orElse("").toLowerCase(Locale.ROOT);
      if (!(scheme.equals("http") || scheme.equals("https")) || url.getHost() == null) {
        throw new IllegalArgumentException(
            "target must be the address of a node, such as http://localhost:9200: "
                + url.toString().replaceFirst(".*@", "***@"));
      }
      if (url.getRawUserInfo() != null) {
        throw new IllegalArgumentException("the name and password must not be in the address");
      }
      if (!index.matches("[a-z0-9][a-z0-9_.-]{0,99}")) {
        throw new IllegalArgumentException(
            "target-index must be from 1 to 100 of a-z, 0-9, _, . and -: '" + index + "'");
      }
    }

    /**
     * The cluster at an address as a user gives it.
     *
     * @param address may hold a name and a password, which go before those of the environment
     * @param environment the environment variables of this process
     */
    public static RunningCluster at(URI address, String index, Map<String, String> environment) {
      Optional<Login> login =
          Optional.ofNullable(address.getUserInfo())
              .map(Login::ofUserInfo)
              .or(() -> Login.ofEnvironment(environment));
      return new RunningCluster(withoutUserInfo(address), login, index);
    }

    private static URI withoutUserInfo(URI address) {
      if (address.getRawUserInfo() == null) {
        return address;
      }
      String authority = address.getRawAuthority();
      return URI.create(
          "%s://%s%s"
              .formatted(
                  address.getScheme(),
                  authority.substring(authority.lastIndexOf('@') + 1),
                  address.getRawPath()));
    }
  }
}
