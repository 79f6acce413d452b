/**
 * The run as a whole, in the JVM that the user started. {@link
 * io.weir.stress.experiment.Experiment} checks, builds the index and runs the arms one after
 * another, each in a {@link io.weir.jvm.WorkerJvm} of its own on its own {@link
 * io.weir.stress.experiment.IndexCopy}. {@link io.weir.stress.experiment.Preflight} refuses what
 * cannot work before anything is begun.
 */
package io.weir.stress.experiment;
