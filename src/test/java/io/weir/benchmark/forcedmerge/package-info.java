/**
 * What the directory costs a whole forced merge when it holds nothing back: {@link
 * io.weir.benchmark.forcedmerge.ForcedMergeBenchmark}. An {@link
 * io.weir.benchmark.forcedmerge.MergeArm} is one way to merge, and {@link
 * io.weir.benchmark.forcedmerge.PairedRatios} says how sure the difference is.
 */
package io.weir.benchmark.forcedmerge;
