/**
 * The JVM that does one part of {@code weir stress}: {@link io.weir.stress.worker.StressMain} is
 * its entry, a {@link io.weir.stress.worker.StressMain.Task} is what it does.
 *
 * <p>What it says to the run, and when it stops, is {@link io.weir.jvm.Worker}'s.
 */
package io.weir.stress.worker;
