/**
 * From goals to rates: ring 2, may use {@code rate}, {@code procfs} and {@code time}.
 *
 * <p>Holds nothing yet. The controllers that turn a reopen-latency, dirty-bytes or backlog goal
 * into a rate belong here.
 */
package io.weir.control;
