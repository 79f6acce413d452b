/**
 * The meters by HTTP, for Prometheus: {@link io.weir.exporter.MetricsServer}, set up by {@link
 * io.weir.exporter.MetricsServerOptions}.
 *
 * <p>Ring 4: may use {@code metrics}, Micrometer's registry for Prometheus, the HTTP handler of
 * Prometheus' own library, and the JDK's HTTP server.
 */
package io.weir.exporter;
