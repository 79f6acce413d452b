/**
 * The client of {@code weir load}, in a JVM of its own. {@link io.weir.load.client.OpenLoopClient}
 * sends by schedule whatever the server does; {@link io.weir.load.client.ClientStalls} tells a
 * stall of the client from a latency of the server.
 */
package io.weir.load.client;
