/**
 * The run as a whole, in the JVM that the user started. {@link
 * io.weir.stress.experiment.Experiment} is the frame of runs of every kind, {@link
 * io.weir.stress.experiment.RunKind} what a kind adds to it, and {@link
 * io.weir.stress.experiment.StressRun} one of them: it takes indexes from an {@link
 * io.weir.stress.experiment.IndexSource} and runs each arm in a {@link io.weir.jvm.WorkerJvm} of
 * its own. {@link io.weir.stress.experiment.Preflight} refuses what cannot work before anything is
 * begun.
 */
package io.weir.stress.experiment;
