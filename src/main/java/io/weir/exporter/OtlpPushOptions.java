package io.weir.exporter;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * The settings of an {@link OtlpPush}.
 *
 * @param endpoint the full URL of the collector's metrics endpoint, such as {@code
 *     http://localhost:4318/v1/metrics}
 * @param interval time between pushes, from 1 s to 1 h
 * @param resource attributes of this process with OpenTelemetry's names, such as {@code
 *     service.name}
 */
public record OtlpPushOptions(URI endpoint, Duration interval, Map<String, String> resource) {

  private static final Duration LEAST_INTERVAL = Duration.ofSeconds(1);
  private static final Duration MOST_INTERVAL = Duration.ofHours(1);
  private static final String NO_PATH = "/";

  /** Refuses invalid endpoints and intervals. */
  public OtlpPushOptions {
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(resource, "resource");
    Objects.requireNonNull(interval, "interval");
    resource = Map.copyOf(resource);
    String scheme = String.valueOf(endpoint.getScheme());
    if (!scheme.equals("http") && !scheme.equals("https")
        || endpoint.getHost() == null
        || endpoint.getPath().isEmpty()
        || endpoint.getPath().equals(NO_PATH)) {
      throw new IllegalArgumentException(
          "an endpoint of OTLP must be a whole address such as http://localhost:4318/v1/metrics: "
              + endpoint);
    }
    if (interval.compareTo(LEAST_INTERVAL) < 0 || interval.compareTo(MOST_INTERVAL) > 0) {
      throw new IllegalArgumentException("the interval must be from 1 s to 1 h: " + interval);
    }
  }
}
