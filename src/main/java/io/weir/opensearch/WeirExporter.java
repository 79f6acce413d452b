package io.weir.opensearch;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.ResidentMemoryMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.metrics.WeirMetrics;
import io.weir.rate.ByteBudget;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of the node and its shards for Prometheus, on a port of their own. Each shard has the
 * tags {@code index} and {@code shard}.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the port and the meters. <b>Failure:</b> a shard
 * whose meters cannot be registered has none; that is logged.
 */
final class WeirExporter implements Closeable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<WeirShard, WeirMetrics> shards = new ConcurrentHashMap<>();
  private final MetricsServer server;

  private WeirExporter(InetSocketAddress address, ByteBudget budget) throws IOException {
    registry.config().meterFilter(WeirHistograms.filter());
    new BudgetMetrics(budget).bindTo(registry);
    new ResidentMemoryMetrics().bindTo(registry);
    Privileged.call(
        () -> {
          new LinuxMetrics().bindTo(registry);
          return registry;
        });
    this.server = MetricsServer.start(MetricsServerOptions.local(0).withAddress(address), registry);
  }

  /**
   * Serves the meters of {@code budget}.
   *
   * @throws IllegalArgumentException if it cannot listen on that address
   */
  static WeirExporter start(String host, int port, ByteBudget budget) {
    InetSocketAddress address = new InetSocketAddress(host, port);
    try {
      return new WeirExporter(address, budget);
    } catch (IOException | UncheckedIOException e) {
      throw new IllegalArgumentException(
          WeirSettings.METRICS_PORT.getKey() + " must be a free port: " + address, e);
    }
  }

  void add(WeirShard shard) {
    WeirMetrics metrics =
        new WeirMetrics(
            shard.tracker(),
            shard.directory(),
            shard.refreshes(),
            Tags.of(
                "index", shard.id().getIndexName(), "shard", Integer.toString(shard.id().id())));
    try {
      metrics.bindTo(registry);
      shards.put(shard, metrics);
    } catch (IllegalStateException e) {
      metrics.close();
      System.getLogger(WeirExporter.class.getPackageName())
          .log(Level.WARNING, shard + " has no meters", e);
    }
  }

  void remove(WeirShard shard) {
    WeirMetrics metrics = shards.remove(shard);
    if (metrics != null) {
      metrics.close();
    }
  }

  @Override
  public void close() {
    server.close();
    registry.close();
  }
}
