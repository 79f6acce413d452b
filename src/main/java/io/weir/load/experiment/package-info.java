/**
 * A run of {@code weir load} as its own process drives it. {@link io.weir.load.experiment.LoadRun}
 * goes from round to round and from arm to arm; {@link io.weir.load.experiment.ArmSteps} takes one
 * arm from step to step, with a server and a client in JVMs of their own.
 */
package io.weir.load.experiment;
