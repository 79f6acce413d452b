package io.weir.stress.plan;

import io.weir.exporter.OtlpPushOptions;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How an arm shows itself to other tools while it runs.
 *
 * @param metricsPort the local port of its meters, if it serves them
 * @param otlpUrl the collector of its meters, if it pushes them
 * @param flightRecording whether its JVM's flight recorder runs
 */
public record Telemetry(
    Optional<Integer> metricsPort, Optional<URI> otlpUrl, boolean flightRecording) {

  /** Not at all. */
  public static final Telemetry NONE = new Telemetry(Optional.empty(), Optional.empty(), false);

  private static final int MAX_PORT = 65_535;
  private static final Duration PUSH_INTERVAL = Duration.ofSeconds(5);

  /** Refuses what cannot be listened on or sent to. */
  public Telemetry {
    metricsPort
        .filter(port -> port < 1 || port > MAX_PORT)
        .ifPresent(
            port -> {
              throw new IllegalArgumentException(
                  "metrics-port must be from 1 to " + MAX_PORT + ": " + port);
            });
    otlpUrl.ifPresent(url -> push(url, ""));
  }

  /** How to push the meters of {@code arm}, if there is a collector. */
  public Optional<OtlpPushOptions> push(String arm) {
    return otlpUrl.map(url -> push(url, arm));
  }

  private static OtlpPushOptions push(URI otlpUrl, String arm) {
    return new OtlpPushOptions(
        otlpUrl, PUSH_INTERVAL, Map.of("service.name", "weir-stress", "service.instance.id", arm));
  }
}
