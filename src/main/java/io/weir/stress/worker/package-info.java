/**
 * The JVM that does one part of a run; {@link io.weir.stress.worker.StressMain} is its entry. It
 * reads a {@link io.weir.stress.worker.StressTask} from a file, writes {@link
 * io.weir.jvm.WorkerProgress} lines to its standard output, and leaves a {@link
 * io.weir.stress.worker.WorkerAnswer} in a file.
 *
 * <p>It stops when its standard input ends, so it never outlives the experiment that started it.
 */
package io.weir.stress.worker;
