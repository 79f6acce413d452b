/**
 * How long {@code rollback} and {@code close} take while a forced merge is held back: by Weir's cap
 * and pause, and by Lucene's own.
 */
package io.weir.benchmark.stopping;
