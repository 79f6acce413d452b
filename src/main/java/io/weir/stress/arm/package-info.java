/**
 * What happens inside the JVM of one arm. {@link io.weir.stress.arm.LuceneArm} tells the story: it
 * opens the index, puts it under load, runs the {@link io.weir.stress.arm.ArmPhases} with the
 * {@link io.weir.stress.arm.LargeMerge} in the middle, and returns the result.
 *
 * <p>The rooms below it, each using only those before it: {@code timeline}, {@code logs}, {@code
 * load}, {@code meters}, {@code storage}.
 */
package io.weir.stress.arm;
