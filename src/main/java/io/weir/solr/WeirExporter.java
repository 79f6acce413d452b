package io.weir.solr;

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
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * The meters of the node and its cores for Prometheus, on a port of their own. Each core has the
 * tag {@code index} with its name.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the port and the meters, for the life of the
 * process. <b>Failure:</b> a core whose meters cannot be registered has none; that is logged.
 */
final class WeirExporter {

  private static final System.Logger LOGGER = System.getLogger(WeirNode.class.getPackageName());

  /** The meters of a core, by which they are registered. */
  private record Registered(WeirCore core, WeirMetrics metrics) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, Registered> cores = new HashMap<>(); // guarded by this

  private WeirExporter(ByteBudget budget) {
    registry.config().meterFilter(WeirHistograms.filter());
    new BudgetMetrics(budget).bindTo(registry);
    new ResidentMemoryMetrics().bindTo(registry);
    new LinuxMetrics().bindTo(registry);
  }

  /**
   * Serves the meters of {@code budget}.
   *
   * @throws IOException if it cannot listen on that address
   */
  static WeirExporter start(String host, int port, ByteBudget budget) throws IOException {
    WeirExporter exporter = new WeirExporter(budget);
    MetricsServer.start(
        MetricsServerOptions.local(0).withAddress(new InetSocketAddress(host, port)),
        exporter.registry);
    return exporter;
  }

  /**
   * Shows the meters of a core and its present writer. They replace those of an older core of that
   * name, which Solr has reloaded, or of an earlier writer.
   */
  synchronized void add(WeirCore core) {
    Registered before = cores.get(core.name());
    if (before != null) {
      if (before.core.isNewerThan(core)) {
        return;
      }
      cores.remove(core.name());
      before.metrics.close();
    }
    core.writer().ifPresent(writer -> register(core, writer));
  }

  private void register(WeirCore core, WeirCore.Writer writer) {
    WeirMetrics metrics =
        new WeirMetrics(
            writer.scheduler(),
            writer.directory(),
            core.refreshes().monitor(),
            Tags.of("index", core.name()));
    try {
      metrics.bindTo(registry);
      cores.put(core.name(), new Registered(core, metrics));
    } catch (IllegalStateException e) {
      metrics.close();
      LOGGER.log(Level.WARNING, core + " has no meters", e);
    }
  }

  /** Removes the meters of a core, unless those of its successor have replaced them. */
  synchronized void remove(WeirCore core) {
    Registered registered = cores.get(core.name());
    if (registered != null && registered.core == core) {
      cores.remove(core.name());
      registered.metrics.close();
    }
  }
}
