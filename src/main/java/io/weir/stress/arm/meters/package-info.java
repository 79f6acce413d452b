/**
 * What an arm measures beside its load. {@link io.weir.stress.arm.meters.SamplingThread} has the
 * {@link io.weir.stress.arm.meters.Sampler} look ten times a second.
 *
 * <p>Each {@link io.weir.stress.arm.meters.Meter} is told the phases and gives figures: the large
 * merge ({@link io.weir.stress.arm.meters.MergeWindow}, of the bytes that {@link
 * io.weir.stress.arm.meters.MergeMeter} counts), garbage collection ({@link
 * io.weir.stress.arm.meters.GcMeter}), noise on the host ({@link
 * io.weir.stress.arm.meters.NoiseMeter}) and reads from storage ({@link
 * io.weir.stress.arm.meters.StorageReadMeter}).
 */
package io.weir.stress.arm.meters;
