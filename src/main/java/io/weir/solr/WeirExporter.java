package io.weir.solr;

import io.micrometer.core.instrument.Tags;
import io.weir.engine.NodeMeters;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import java.io.IOException;
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

  private final NodeMeters meters;
  private final Map<String, WeirCore> shown = new HashMap<>(); // by name; guarded by this

  private WeirExporter(ByteBudget budget, ProcessorShare processors) {
    this.meters = new NodeMeters(budget, processors);
  }

  /**
   * Serves the meters of {@code budget} and {@code processors}.
   *
   * @throws IOException if it cannot listen on that address
   */
  static WeirExporter start(String host, int port, ByteBudget budget, ProcessorShare processors)
      throws IOException {
    WeirExporter exporter = new WeirExporter(budget, processors);
    MetricsServer.start(
        MetricsServerOptions.local(0).withAddress(new InetSocketAddress(host, port)),
        exporter.meters.registry());
    return exporter;
  }

  /**
   * Shows the meters of a core and its present writer. They replace those of an older core of that
   * name, which Solr has reloaded, or of an earlier writer.
   */
  synchronized void add(WeirCore core) {
    WeirCore before = shown.get(core.name());
    if (before != null) {
      if (before.isNewerThan(core)) {
        return;
      }
      remove(before);
    }
    core.writer().ifPresent(writer -> add(core, writer));
  }

  private void add(WeirCore core, WeirCore.Writer writer) {
    if (meters.add(
        core,
        writer.scheduler(),
        writer.directory(),
        core.refreshes().monitor(),
        Tags.of("index", core.name()))) {
      shown.put(core.name(), core);
    }
  }

  /** Removes the meters of a core, unless those of its successor have replaced them. */
  synchronized void remove(WeirCore core) {
    if (shown.remove(core.name(), core)) {
      meters.remove(core);
    }
  }
}
