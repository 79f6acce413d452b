package io.weir.benchmark.scrape;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.DiskMetrics;
import io.weir.metrics.HostMemoryMetrics;
import io.weir.metrics.JvmAndProcessMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.MeasuredIndex;
import io.weir.metrics.WeirHistograms;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.IOUtils;

/**
 * Indexes of one process that share a budget, each with a child of it, some reopens and a merge;
 * and a server for the meters of all of it, of the kernel, the disks and the JVM.
 */
final class ScrapedNode implements AutoCloseable {

  private static final int SEGMENTS = 2;
  private static final int DOCUMENTS = 20;

  final PrometheusMeterRegistry registry;
  private final List<MeasuredIndex> indexes = new ArrayList<>();
  private final JvmAndProcessMetrics process = new JvmAndProcessMetrics();
  private final MetricsServer server;

  /**
   * One that has begun to serve.
   *
   * @param registry an empty one
   * @param histograms whether Weir's timers have buckets
   */
  ScrapedNode(Path directory, int count, PrometheusMeterRegistry registry, boolean histograms)
      throws Exception {
    this.registry = registry;
    if (histograms) {
      registry.config().meterFilter(WeirHistograms.filter());
    }
    ByteBudget disk = ByteBudget.perSecond(1_000_000_000);
    new BudgetMetrics(disk).bindTo(registry);
    for (int i = 0; i < count; i++) {
      String name = "index-" + i;
      ByteBudget share = disk.child(BudgetOptions.named(name));
      MeasuredIndex index = new MeasuredIndex(directory.resolve(name), name, share);
      indexes.add(index);
      index.metrics().bindTo(registry);
      new BudgetMetrics(share).bindTo(registry);
      for (int segment = 0; segment < SEGMENTS; segment++) {
        index.segment(DOCUMENTS);
      }
      index.merge();
    }
    new LinuxMetrics().bindTo(registry);
    new HostMemoryMetrics().bindTo(registry);
    new DiskMetrics().bindTo(registry);
    process.bindTo(registry);
    server = MetricsServer.start(MetricsServerOptions.local(0), registry);
  }

  /** What to scrape. */
  URI metrics() {
    return URI.create("http://127.0.0.1:" + server.address().getPort() + "/metrics");
  }

  @Override
  public void close() throws IOException {
    server.close();
    process.close();
    IOUtils.close(indexes);
  }
}
