package io.weir.exporter;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The settings of a {@link MetricsServer}.
 *
 * @param address the address to listen on; port 0 chooses a free port
 * @param credentials required by basic authentication; empty means no authentication
 * @param tls the TLS context; empty means plain HTTP
 */
public record MetricsServerOptions(
    InetSocketAddress address, Optional<Credentials> credentials, Optional<SSLContext> tls) {

  /** The highest port. */
  private static final int MAX_PORT = 65_535;

  /**
   * A user and a password.
   *
   * @param user without a colon, which separates it from the password
   */
  public record Credentials(String user, String password) {

    /** Refuses credentials that no client could send. */
    public Credentials {
      Objects.requireNonNull(password, "password");
      Objects.requireNonNull(user, "user");
      if (user.isEmpty() || user.indexOf(':') >= 0 || password.isEmpty()) {
        throw new IllegalArgumentException(
            "user and password must have at least 1 character, and user no colon: '" + user + "'");
      }
    }

    @Override
    public String toString() {
      return "Credentials(" + user + ")"; // no password in logs
    }
  }

  /** Refuses an address that was not resolved. */
  public MetricsServerOptions {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(credentials, "credentials");
    Objects.requireNonNull(tls, "tls");
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          "the address must resolve to an IP address: " + address.getHostString());
    }
  }

  /** The loopback address, for this machine only, without a password. */
  public static MetricsServerOptions local(int port) {
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("port must be from 0 to " + MAX_PORT + ": " + port);
    }
    return new MetricsServerOptions(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        Optional.empty(),
        Optional.empty());
  }

  /** These options, with another address. */
  public MetricsServerOptions withAddress(InetSocketAddress address) {
    return new MetricsServerOptions(address, credentials, tls);
  }

  /** These options, with credentials. */
  public MetricsServerOptions withCredentials(String user, String password) {
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(password, "password");
    return new MetricsServerOptions(address, Optional.of(new Credentials(user, password)), tls);
  }

  /** These options, with TLS. */
  public MetricsServerOptions withTls(SSLContext context) {
    Objects.requireNonNull(context, "context");
    return new MetricsServerOptions(address, credentials, Optional.of(context));
  }
}
