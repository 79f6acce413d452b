/**
 * How long reopens take, what slow ones wait for, and how fresh searches are.
 *
 * <p>{@link io.weir.nrt.ReopenMonitor} attaches to a {@link
 * org.apache.lucene.search.ReferenceManager} in one line. It reports the duration, the time of
 * visibility and the result of each reopen; the staleness of the searcher; and how long documents
 * take to become searchable. {@link io.weir.nrt.ReopenPhases}, installed before the writer is
 * opened, adds the phases of a reopen. {@link io.weir.nrt.SlowReopens}, started by {@code
 * explainSlow}, explains what a slow reopen waited for.
 *
 * <p>Start reading at {@code ReopenMonitor}; the manager calls {@code RefreshObserver}. Ring 2:
 * uses {@code figure}, {@code lucene}, {@code time} and lucene-core.
 */
package io.weir.nrt;
