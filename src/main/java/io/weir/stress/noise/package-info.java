/**
 * How quiet the machine is while something is measured on it: hiccups of JVMs, what a hypervisor
 * took, what others wrote.
 *
 * <p>{@link io.weir.stress.noise.HiccupMeter} and {@link io.weir.stress.noise.HostCounters}
 * measure, {@link io.weir.stress.noise.NoiseRules} says when it is too much.
 */
package io.weir.stress.noise;
