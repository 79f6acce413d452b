/**
 * How much load an index bears: {@code weir load}. A search service of ours in a JVM of its own
 * ({@link io.weir.load.server.ServerMain}), an open-loop client in another ({@link
 * io.weir.load.client.ClientMain}), and {@link io.weir.load.experiment.LoadRun}, which raises the
 * load until the service saturates.
 *
 * <p>Start reading at {@link io.weir.load.plan.LoadSearch}, which decides what is tried next, and
 * {@link io.weir.load.client.OpenLoopClient}, which sends by schedule whatever the server does.
 */
package io.weir.load;
