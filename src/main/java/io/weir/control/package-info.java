/**
 * From goals to what merges do: ring 2, may use {@code merge}, {@code rate}, {@code procfs} and
 * {@code time}.
 *
 * <p>{@link io.weir.control.ReadersFirst} has merges stand aside while readers wait for the disk.
 * All of a process share one {@link io.weir.control.ReaderWatch}, which reads {@link
 * io.weir.control.DiskPressure} and, under pressure, {@link io.weir.control.ForegroundReads}. The
 * controllers that turn a reopen-latency, dirty-bytes or backlog goal into a rate belong here.
 */
package io.weir.control;
