/**
 * Controllers of merges: ring 2, may use {@code merge}, {@code rate}, {@code procfs} and {@code
 * time}.
 *
 * <p>Start at {@link io.weir.control.ReadersFirst}, which makes merges yield while readers wait for
 * the disk. All of a process share one {@link io.weir.control.ReaderWatch}, which reads {@link
 * io.weir.control.DiskPressure} and, under pressure, {@link io.weir.control.ForegroundReads}.
 */
package io.weir.control;
