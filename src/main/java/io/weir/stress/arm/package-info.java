/**
 * What happens inside the JVM of one arm. {@link io.weir.stress.arm.ArmRun} tells the story,
 * whatever the {@link io.weir.stress.arm.Target}: it puts the target under load, runs the phases
 * with the {@link io.weir.stress.arm.LargeMerge} in the middle, and returns the figures. {@link
 * io.weir.stress.arm.LuceneArm} opens an index in this JVM for it; for one in an engine {@code
 * EngineArm} does.
 *
 * <p>The rooms below it, each using only those before it: {@code timeline}, {@code logs}, {@code
 * load}, {@code meters}, {@code storage}.
 */
package io.weir.stress.arm;
