/**
 * What happens inside the JVM of one arm. {@link io.weir.stress.arm.ArmRun} opens the index and
 * runs the phases; {@link io.weir.stress.arm.Reopener}, {@link io.weir.stress.arm.Updater} and
 * {@link io.weir.stress.arm.SearchLoad} are the load, each run by an {@link
 * io.weir.stress.arm.OpenLoop} at the times of a {@link io.weir.stress.arm.Schedule}. {@link
 * io.weir.stress.arm.Watch} samples ten times a second, and {@link io.weir.stress.arm.MergeMeter}
 * counts what merges really write, {@link io.weir.stress.arm.GcMeter} how long the collector had
 * everything stand still.
 */
package io.weir.stress.arm;
