/**
 * HTTP {@code /metrics} and health: ring 4, may use {@code metrics} and the JDK's HTTP server.
 *
 * <p>Holds nothing yet.
 */
package io.weir.exporter;
