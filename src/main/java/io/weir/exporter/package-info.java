/**
 * The meters by HTTP: {@link io.weir.exporter.MetricsServer} for Prometheus, which asks for them,
 * and {@link io.weir.exporter.OtlpPush} for a collector of OpenTelemetry, to which they are sent;
 * {@link io.weir.exporter.LabelCachingMeterRegistry} for who has many of them.
 *
 * <p>Ring 4: may use {@code metrics}, Micrometer's registries for Prometheus and OTLP, what renders
 * a scrape in Prometheus' own library, and the JDK's HTTP server.
 */
package io.weir.exporter;
