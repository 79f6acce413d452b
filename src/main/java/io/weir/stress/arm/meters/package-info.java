/**
 * What an arm measures beside its load. {@link io.weir.stress.arm.meters.SamplingThread} samples
 * ten times a second; {@link io.weir.stress.arm.meters.MergeMeter} counts the bytes that merges
 * really write, and {@link io.weir.stress.arm.meters.MergeWindow} sums up the large merge.
 *
 * <p>Other meters cover garbage collection ({@link io.weir.stress.arm.meters.GcMeter}), noise on
 * the host ({@link io.weir.stress.arm.meters.NoiseMeter}), reads from storage ({@link
 * io.weir.stress.arm.meters.StorageReadMeter}) and the cost of measuring itself ({@link
 * io.weir.stress.arm.meters.InstrumentCost}).
 */
package io.weir.stress.arm.meters;
