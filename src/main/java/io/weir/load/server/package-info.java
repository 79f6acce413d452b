/**
 * The search service of {@code weir load}, in a JVM of its own. {@link
 * io.weir.load.server.SearchServer} answers queries over HTTP. {@link
 * io.weir.load.server.ServerMain} opens the arm's index, keeps the updates running and says what
 * the JVM used.
 */
package io.weir.load.server;
