/**
 * What comes out of a run. {@link io.weir.stress.result.RunResult} is all of it and {@link
 * io.weir.stress.result.ArmResult} one arm's part, {@link io.weir.stress.result.SweepResult} what a
 * sweep made of them, as plain records; {@link io.weir.stress.result.RunFiles} names the files of a
 * run directory, and {@link io.weir.stress.result.RunJson} says how the records are JSON.
 */
package io.weir.stress.result;
