package io.weir.exporter;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.AggregationTemporality;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Sends meters to an OpenTelemetry collector by OTLP over HTTP, every so often and once more at its
 * close: for who has a collector instead of a Prometheus that scrapes. Sums are since the start,
 * times in seconds.
 *
 * <pre>{@code
 * OtlpPush push = OtlpPush.start(options);
 * new WeirMetrics(...).bindTo(push.registry());
 * }</pre>
 *
 * <p>Headers, such as for an authorization, and compression are taken from the environment as
 * OpenTelemetry names them: {@code OTEL_EXPORTER_OTLP_HEADERS}, {@code
 * OTEL_EXPORTER_OTLP_COMPRESSION}.
 *
 * <p><b>Threads:</b> sends on one of its own, a daemon. <b>Ownership:</b> owns the registry.
 * <b>Failure:</b> a push that does not arrive is counted, and logged by Micrometer; the next one
 * makes up for it, because sums are since the start. Nothing of it reaches whoever indexes.
 */
public final class OtlpPush implements AutoCloseable {

  /**
   * What has been sent.
   *
   * @param pushes that the collector took
   * @param failures that it did not take or that did not reach it
   * @param lastFailure why the last of those failed
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
        OtlpMeterRegistry.builder(new Config(options)).metricsSender(this::send).build();
  }

  /** Begins to send. */
  public static OtlpPush start(OtlpPushOptions options) {
    return new OtlpPush(options);
  }

  /** What is sent: bind meters to it. */
  public MeterRegistry registry() {
    return registry;
  }

  /** What has been sent until now. */
  public synchronized Snapshot snapshot() {
    return snapshot;
  }

  /** Sends once more and ends; a collector that hangs is waited for some seconds. */
  @Override
  public void close() {
    registry.close();
  }

  private void send(OtlpMetricsSender.Request request) throws Exception {
    try {
      http.send(request);
    } catch (Exception e) {
      Throwable cause = e.getCause() == null ? e : e.getCause(); // it wraps what the socket threw
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

  /** Micrometer asks for what it is to do; what is not here it takes from the environment. */
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
