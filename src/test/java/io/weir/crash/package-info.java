/**
 * Writers that end at any moment, by a kill or by a power cut, and what they must leave.
 *
 * <p>{@link io.weir.crash.CrashIndex} is what must be found afterwards. {@link
 * io.weir.crash.KilledWriter} is killed, {@link io.weir.crash.CutWriter} loses its disk, which is a
 * {@link io.weir.crash.VolatileDisk}.
 */
package io.weir.crash;
