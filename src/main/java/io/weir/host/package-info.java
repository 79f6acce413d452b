/**
 * A description of the machine as plain records: ring 3, uses {@code procfs} and OSHI.
 *
 * <p>{@link io.weir.host.HostProbe} reads it once, and {@link io.weir.host.Environment} is the
 * record that a run keeps.
 */
package io.weir.host;
