package io.weir.exporter;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.DiskMetrics;
import io.weir.metrics.HostMemoryMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.MeasuredIndex;
import io.weir.metrics.WeirHistograms;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.nio.file.Path;

/** An index with all of Weir, and a registry for Prometheus with all of its meters. */
final class ScrapedIndex implements AutoCloseable {

  final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final ByteBudget budget = new ByteBudget(BudgetOptions.named("disk"));
  private final MeasuredIndex index;

  ScrapedIndex(Path path) throws IOException {
    registry.config().meterFilter(WeirHistograms.filter());
    index = new MeasuredIndex(path, "products", budget);
    index.metrics().bindTo(registry);
    new BudgetMetrics(budget).bindTo(registry);
    new LinuxMetrics().bindTo(registry);
    new HostMemoryMetrics().bindTo(registry);
    new DiskMetrics().bindTo(registry);
  }

  /** Some documents, a reopen. */
  void load() throws IOException {
    index.segment(20);
  }

  void merge() throws Exception {
    index.merge();
  }

  @Override
  public void close() throws IOException {
    index.close();
  }
}
