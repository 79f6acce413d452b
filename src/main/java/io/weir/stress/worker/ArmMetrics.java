package io.weir.stress.worker;

import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.DirectoryMetrics;
import io.weir.metrics.DiskMetrics;
import io.weir.metrics.JvmAndProcessMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.MergeMetrics;
import io.weir.metrics.ReopenMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.stress.arm.ArmObserver;
import io.weir.stress.arm.ArmParts;
import java.io.Closeable;
import java.io.IOException;

/**
 * Serves an arm's meters on a port of this machine while it runs; the tag {@code index} is the
 * arm's name. With {@code preset=stock} there are none of merges, because nobody counts them there.
 *
 * @param arm its name
 */
record ArmMetrics(int port, String arm) implements ArmObserver {

  @Override
  public Closeable open(ArmParts parts) throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().meterFilter(WeirHistograms.filter());
    Tags tags = Tags.of("index", arm);
    parts.budget().ifPresent(budget -> new BudgetMetrics(budget).bindTo(registry));
    parts.scheduler().ifPresent(scheduler -> new MergeMetrics(scheduler, tags).bindTo(registry));
    new ReopenMetrics(parts.reopens(), tags).bindTo(registry);
    new DirectoryMetrics(parts.directory(), tags).bindTo(registry);
    new LinuxMetrics().bindTo(registry);
    new DiskMetrics().bindTo(registry);
    JvmAndProcessMetrics process = new JvmAndProcessMetrics();
    process.bindTo(registry);
    MetricsServer server = MetricsServer.start(MetricsServerOptions.local(port), registry);
    return () -> {
      server.close();
      process.close();
    };
  }
}
