/**
 * What happens inside the JVM of one arm. {@link io.weir.stress.arm.ArmMain} is its entry and
 * speaks with the experiment; {@link io.weir.stress.arm.ArmRun} opens the index and runs the
 * phases; {@link io.weir.stress.arm.Reopener}, {@link io.weir.stress.arm.Updater} and {@link
 * io.weir.stress.arm.SearchLoad} are the load; {@link io.weir.stress.arm.Sampler} watches ten times
 * a second; {@link io.weir.stress.arm.MergeMeter} counts what merges really write.
 */
package io.weir.stress.arm;
