package io.weir.stress.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import io.weir.exporter.OtlpPush;
import io.weir.exporter.OtlpPushOptions;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.DirectoryMetrics;
import io.weir.metrics.DiskMetrics;
import io.weir.metrics.HostMemoryMetrics;
import io.weir.metrics.JvmAndProcessMetrics;
import io.weir.metrics.LatencyGoalMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.MergeMetrics;
import io.weir.metrics.ReopenMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.run.RunWarning;
import io.weir.stress.arm.ArmObserver;
import java.io.IOException;
import java.util.List;

/**
 * The meters of an arm while it runs: {@link #served} on a local port, or {@link #pushed} to a
 * collector. The tag {@code index} is the arm's name. With {@code preset=stock} there are no meters
 * of merges, because stock Lucene does not count them.
 */
final class ArmMetrics {

  private ArmMetrics() {}

  /** Serves them to scrapes on {@code port}. */
  static ArmObserver served(int port, String arm) {
    return parts -> {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      JvmAndProcessMetrics process = bind(parts, arm, registry);
      MetricsServer server = MetricsServer.start(MetricsServerOptions.local(port), registry);
      return () -> {
        server.close();
        process.close();
      };
    };
  }

  /** Pushes them by OTLP. */
  static ArmObserver pushed(OtlpPushOptions options, String arm) {
    return parts -> {
      OtlpPush push = OtlpPush.start(options);
      return new Pushed(push, bind(parts, arm, push.registry()), options);
    };
  }

  private record Pushed(OtlpPush push, JvmAndProcessMetrics process, OtlpPushOptions options)
      implements ArmObserver.Observation {

    @Override
    public void close() throws IOException {
      push.close();
      process.close();
    }

    @Override
    public List<RunWarning> warnings() {
      OtlpPush.Snapshot sent = push.snapshot();
      return sent.lastFailure().stream()
          .map(
              why ->
                  new RunWarning(
                      "%d of %d pushes of meters to %s failed, the last with: %s"
                          .formatted(
                              sent.failures(),
                              sent.failures() + sent.pushes(),
                              options.endpoint(),
                              why),
                      "the collector is down, or refuses them",
                      "see its log; the arm's figures are not affected"))
          .toList();
    }
  }

  private static JvmAndProcessMetrics bind(
      ArmObserver.Parts parts, String arm, MeterRegistry registry) {
    registry.config().meterFilter(WeirHistograms.filter());
    Tags tags = Tags.of("index", arm);
    parts.budget().ifPresent(budget -> new BudgetMetrics(budget).bindTo(registry));
    parts.goal().ifPresent(goal -> new LatencyGoalMetrics(goal).bindTo(registry));
    parts.scheduler().ifPresent(scheduler -> new MergeMetrics(scheduler, tags).bindTo(registry));
    new ReopenMetrics(parts.reopens(), tags).bindTo(registry);
    new DirectoryMetrics(parts.directory(), tags).bindTo(registry);
    new LinuxMetrics().bindTo(registry);
    new HostMemoryMetrics().bindTo(registry);
    new DiskMetrics().bindTo(registry);
    JvmAndProcessMetrics process = new JvmAndProcessMetrics();
    process.bindTo(registry);
    return process;
  }
}
