package io.weir.exporter;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.AggregationTemporality;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import io.weir.time.DaemonThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Pushes meters to an OpenTelemetry collector by OTLP over HTTP, periodically and at its close. Use
 * it with a collector instead of a Prometheus server that scrapes. Sums are cumulative, times in
 * seconds.
 *
 * <pre>{@code
 * OtlpPush push = OtlpPush.start(options);
 * new WeirMetrics(...).bindTo(push.registry());
 * }</pre>
 *
 * <p>Headers, for example for authorization, and compression are read from OpenTelemetry's
 * environment variables: {@code OTEL_EXPORTER_OTLP_HEADERS}, {@code
 * OTEL_EXPORTER_OTLP_COMPRESSION}.
 *
 * <p><b>Threads:</b> pushes on a daemon thread of its own. <b>Ownership:</b> owns the registry.
 * <b>Failure:</b> a failed push is counted, and logged by Micrometer. The next one compensates for
 * it, because sums are cumulative. Indexing is never affected.
 */
public final class OtlpPush implements AutoCloseable {

  /**
   * The figures of a push.
   *
   * @param pushes pushes that the collector accepted
   * @param failures pushes that the collector rejected or did not receive
   * @param lastFailure the reason of the last failure
   */
  public record Snapshot(long pushes, long failures, Optional<String> lastFailure) {}

  private static final Duration MOST_CONNECTING = Duration.ofSeconds(2);
  private static final Duration MOST_WAITING = Duration.ofSeconds(5);

  private final OtlpMetricsSender http =
      new OtlpHttpMetricsSender(new HttpUrlConnectionSender(MOST_CONNECTING, MOST_WAITING));
  private final OtlpMeterRegistry registry;
  private Snapshot snapshot = new Snapshot(0, 0, Optional.empty()); // guarded by this

  private OtlpPush(OtlpPushOptions options) {
    this.registry =
        OtlpMeterRegistry.builder(new Config(options))
            .metricsSender(this::send)
            .threadFactory(DaemonThreads.named("weir-otlp-push"))
            .build();
  }

  /** Starts to push. */
  public static OtlpPush start(OtlpPushOptions options) {
    Objects.requireNonNull(options, "options");
    return new OtlpPush(options);
  }

  /** The registry to bind meters to. */
  public MeterRegistry registry() {
    return registry;
  }

  /** The figures so far. */
  public synchronized Snapshot snapshot() {
    return snapshot;
  }

  /** Pushes once more and stops; waits some seconds for a collector that does not respond. */
  @Override
  public void close() {
    registry.close();
  }

  private void send(OtlpMetricsSender.Request request) throws Exception {
    try {
      http.send(request);
    } catch (Exception e) {
      Throwable cause =
          e.getCause() == null ? e : e.getCause(); // it wraps the exception of the socket
      count(0, 1, Optional.of(cause.toString()));
      throw e;
    }
    count(1, 0, Optional.empty());
  }

  private synchronized void count(int pushes, int failures, Optional<String> failure) {
    snapshot =
        new Snapshot(
            snapshot.pushes() + pushes,
            snapshot.failures() + failures,
            failure.isPresent() ? failure : snapshot.lastFailure());
  }

  /** The settings for Micrometer, which takes all others from the environment. */
  private record Config(OtlpPushOptions options) implements OtlpConfig {

    @Override
    public String get(String key) {
      return null;
    }

    @Override
    public String url() {
      return options.endpoint().toString();
    }

    @Override
    public Duration step() {
      return options.interval();
    }

    @Override
    public Map<String, String> resourceAttributes() {
      return options.resource();
    }

    @Override
    public AggregationTemporality aggregationTemporality() {
      return AggregationTemporality.CUMULATIVE;
    }

    @Override
    public TimeUnit baseTimeUnit() {
      return TimeUnit.SECONDS;
    }
  }
}
