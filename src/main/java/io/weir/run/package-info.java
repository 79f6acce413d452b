/**
 * What a run left, whichever command made it. {@link io.weir.run.Run} is all of {@code run.json},
 * {@link io.weir.run.Part} an arm, a step or a cell of it, and {@link io.weir.run.Values} what was
 * measured, by figures that are constants: {@code part.latency(ArmFigures.REOPEN, Phase.DURING)}.
 *
 * <p>{@link io.weir.run.RunFiles} names the files of a run directory; it is the one reader and the
 * one writer of {@code run.json}.
 */
package io.weir.run;
