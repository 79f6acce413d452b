/**
 * The JVM that does one piece of a run: {@link io.weir.stress.worker.WorkerMain} is its entry. It
 * is told what to do by a {@link io.weir.stress.worker.WorkerTask} in a file, tells how far it is
 * by {@link io.weir.stress.worker.WorkerProgress} lines on its standard output, and stops when its
 * standard input ends, so that it never outlives the experiment that started it.
 */
package io.weir.stress.worker;
