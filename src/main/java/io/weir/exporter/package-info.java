/**
 * Exports meters over HTTP: {@link io.weir.exporter.MetricsServer} for Prometheus, which scrapes
 * them, and {@link io.weir.exporter.OtlpPush}, which pushes them to an OpenTelemetry collector.
 *
 * <p>Ring 4: may use {@code metrics}, Micrometer's registries for Prometheus and OTLP, Prometheus'
 * own library for rendering, and the JDK's HTTP server.
 */
package io.weir.exporter;
