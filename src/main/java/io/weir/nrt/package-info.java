/**
 * What readers feel: ring 2, uses {@code time} and lucene-core.
 *
 * <p>{@link io.weir.nrt.ReopenMonitor} attaches to a {@link
 * org.apache.lucene.search.ReferenceManager} in one line and says of each reopen how long it took,
 * when its searcher could be seen and how it ended; how stale the searcher is; how long a document
 * takes to become searchable. {@link io.weir.nrt.ReopenPhases}, set up before the writer is opened,
 * adds where inside a reopen the time goes. {@link io.weir.nrt.SlowReopens}, asked for by {@code
 * explainSlow}, says what a slow one waited for.
 *
 * <p>Start reading at {@code ReopenMonitor}; {@code RefreshObserver} is what the manager calls.
 */
package io.weir.nrt;
