package io.weir.opensearch;

import io.weir.engine.EngineNode;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/**
 * The meters of the node and its shards for Prometheus, on a port of their own.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the port.
 */
final class WeirExporter implements Closeable {

  private final MetricsServer server;

  private WeirExporter(MetricsServer server) {
    this.server = server;
  }

  /**
   * Serves the meters of {@code node}.
   *
   * @throws IllegalArgumentException if it cannot listen on that address; that ends the start of
   *     the node, as a port of the engine would
   */
  static WeirExporter start(String host, int port, EngineNode node) {
    InetSocketAddress address = new InetSocketAddress(host, port);
    try {
      return new WeirExporter(Privileged.call(() -> listen(address, node)));
    } catch (UncheckedIOException e) {
      throw new IllegalArgumentException(
          WeirSettings.METRICS_HOST.getKey()
              + " and "
              + WeirSettings.METRICS_PORT.getKey()
              + " must be an address of this node and a free port: "
              + address,
          e);
    }
  }

  private static MetricsServer listen(InetSocketAddress address, EngineNode node) {
    try {
      return MetricsServer.start(
          MetricsServerOptions.local(0).withAddress(address), node.startMeters().registry());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
