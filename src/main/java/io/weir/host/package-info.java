/**
 * What machine this is, as plain records: ring 3, uses {@code procfs} and OSHI.
 *
 * <p>{@link io.weir.host.HostProbe} reads it once; {@link io.weir.host.Environment} is what a run
 * keeps of it.
 */
package io.weir.host;
