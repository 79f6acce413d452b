/**
 * What the directory costs a whole forced merge when it holds nothing back: {@link
 * io.weir.benchmark.forcedmerge.ForcedMergeBenchmark}. A {@link
 * io.weir.benchmark.forcedmerge.MergeArm} is one way to merge, a {@link
 * io.weir.benchmark.forcedmerge.MergeTrial} one merge by it.
 */
package io.weir.benchmark.forcedmerge;
