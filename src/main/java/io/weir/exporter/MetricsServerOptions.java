package io.weir.exporter;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How a {@link MetricsServer} can be reached.
 *
 * @param address where it listens; port 0 takes any that is free
 * @param credentials what a client must give by basic authentication; empty lets everybody in
 * @param tls what it proves itself with; empty speaks plain HTTP
 */
public record MetricsServerOptions(
    InetSocketAddress address, Optional<Credentials> credentials, Optional<SSLContext> tls) {

  /** The highest port. */
  private static final int MAX_PORT = 65_535;

  /**
   * A user and a password.
   *
   * @param user without a colon, which is where a client's text is divided
   */
  public record Credentials(String user, String password) {

    /** Refuses what no client could send. */
    public Credentials {
      if (user.isEmpty() || user.indexOf(':') >= 0 || password.isEmpty()) {
        throw new IllegalArgumentException(
            "user and password must have at least 1 character, and user no colon: '" + user + "'");
      }
    }

    @Override
    public String toString() {
      return "Credentials(" + user + ")"; // logs are read by many
    }
  }

  /** Refuses what cannot be listened on. */
  public MetricsServerOptions {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(credentials, "credentials");
    Objects.requireNonNull(tls, "tls");
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          "the address must be one of this machine: " + address.getHostString());
    }
  }

  /** For this machine alone, without a password: the loopback address. */
  public static MetricsServerOptions local(int port) {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("port must be from 0 to " + MAX_PORT + ": " + port);
    }
    return new MetricsServerOptions(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        Optional.empty(),
        Optional.empty());
  }

  /** These, at another address. */
  public MetricsServerOptions withAddress(InetSocketAddress newAddress) {
    return new MetricsServerOptions(newAddress, credentials, tls);
  }

  /** These, for who knows a password. */
  public MetricsServerOptions withCredentials(String user, String password) {
    return new MetricsServerOptions(address, Optional.of(new Credentials(user, password)), tls);
  }

  /** These, encrypted. */
  public MetricsServerOptions withTls(SSLContext context) {
    return new MetricsServerOptions(address, credentials, Optional.of(context));
  }
}
