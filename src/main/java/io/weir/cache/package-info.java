/**
 * A query cache for Lucene whose sets of documents are outside the heap, in an artifact of its own,
 * {@code weir-query-cache}.
 *
 * <p>Ring 4: uses {@code lucene}, {@code time}, the record of its figures in {@code metrics}, and
 * lucene-core.
 *
 * <p>{@link io.weir.cache.OffHeapQueryCache} is where to begin; it replaces Lucene's {@code
 * LRUQueryCache}. A {@code CachingWeight} asks it for each segment of a search. {@code
 * CachedQueries} holds what is cached, in the order of use, within a {@code PagePool}.
 *
 * <p>A {@code DenseBuilder} or a {@code SparseBuilder} writes a set once, into an {@code Extent} of
 * the pool. A {@code CachedIterator} reads it; it notices when the set was evicted, and goes on
 * with the index.
 */
package io.weir.cache;
