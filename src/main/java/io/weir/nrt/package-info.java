/**
 * What readers feel: ring 2, may use {@code time} and lucene-core.
 *
 * <p>Holds nothing yet. The reopen monitor with its phases, staleness and the deferred close of old
 * readers belong here.
 */
package io.weir.nrt;
