package io.weir.stress.plan;

import io.weir.exporter.OtlpPushOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * How an arm shows itself to other tools while it runs.
 *
 * @param metricsPort where its meters can be scraped; null for nowhere
 * @param otlpUrl the collector that its meters are sent to; null for none
 * @param flightRecording whether its JVM's flight recorder runs
 */
public record Telemetry(Integer metricsPort, URI otlpUrl, boolean flightRecording) {

  /** Not at all. */
  public static final Telemetry NONE = new Telemetry(null, null, false);

  private static final int MAX_PORT = 65_535;
  private static final Duration PUSH_INTERVAL = Duration.ofSeconds(5);

  /** Refuses what cannot be listened on or sent to. */
  public Telemetry {
    if (metricsPort != null && (metricsPort < 1 || metricsPort > MAX_PORT)) {
      throw new IllegalArgumentException(
          "metrics-port must be from 1 to " + MAX_PORT + ": " + metricsPort);
    }
    if (otlpUrl != null) {
      push(otlpUrl, "");
    }
  }

  /** How the meters of {@code arm} are sent; only with a collector. */
  public OtlpPushOptions push(String arm) {
    return push(otlpUrl, arm);
  }

  private static OtlpPushOptions push(URI otlpUrl, String arm) {
    return new OtlpPushOptions(
        otlpUrl, PUSH_INTERVAL, Map.of("service.name", "weir-stress", "service.instance.id", arm));
  }
}
