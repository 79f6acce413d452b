/**
 * Power cuts: a writer on a disk with a volatile write cache that is killed.
 *
 * <p>{@link io.weir.crash.VolatileDisk} is the disk, {@link io.weir.powercut.CutWriter} the writer,
 * {@link io.weir.crash.CrashIndex} what must be found after a cut.
 */
package io.weir.crash;
