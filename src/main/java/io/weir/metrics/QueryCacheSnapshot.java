package io.weir.metrics;

import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;

import io.weir.figure.SourceFigures;

/**
 * What a query cache outside the heap holds now, and what it did so far.
 *
 * <p>It is here, and not with the cache, because the cache is in a jar of its own: meters of the
 * library read it.
 *
 * @param queries the number of queries with a set in at least one segment
 * @param sets the number of sets of documents: one for each query and segment
 * @param usedBytes the bytes outside the heap that sets use
 * @param reservedBytes the bytes outside the heap that the cache has allocated; it keeps them for
 *     later sets
 * @param heapBytes the estimated bytes on the heap of queries and of what manages their sets
 * @param maxBytes the limit of {@code usedBytes} and {@code heapBytes} together
 * @param hits lookups that found a set
 * @param misses lookups that found none
 * @param inserts sets that were added
 * @param evictions sets that were removed, for lack of room or because their segment was closed
 * @param refusals requests for memory that failed; the search went on without the cache
 * @param overtaken iterators whose set was evicted while they read it; they went on with the index
 */
public record QueryCacheSnapshot(
    int queries,
    long sets,
    long usedBytes,
    long reservedBytes,
    long heapBytes,
    long maxBytes,
    long hits,
    long misses,
    long inserts,
    long evictions,
    long refusals,
    long overtaken) {

  /** What is shown of a cache; its lookups are a meter by result. */
  static final SourceFigures<QueryCacheSnapshot> FIGURES =
      SourceFigures.of(
          "lucene.query.cache",
          level(
              "sets",
              COUNT,
              "Sets of documents that are cached, one for each filter and segment",
              QueryCacheSnapshot::sets),
          level(
              "used",
              BYTES,
              "Memory outside the heap in cached sets",
              QueryCacheSnapshot::usedBytes),
          level(
              "reserved",
              BYTES,
              "Memory outside the heap that the cache has taken and keeps",
              QueryCacheSnapshot::reservedBytes),
          level("limit", BYTES, "Limit of the cache", QueryCacheSnapshot::maxBytes),
          total("inserts", COUNT, "Sets that were added", QueryCacheSnapshot::inserts)
              .counting("sets"),
          total(
                  "evictions",
                  COUNT,
                  "Sets that were removed, for lack of room or with their segment",
                  QueryCacheSnapshot::evictions)
              .counting("sets"),
          total(
                  "refused",
                  COUNT,
                  "Requests for memory that failed; the search went on without the cache",
                  QueryCacheSnapshot::refusals)
              .counting("requests"),
          total(
                  "overtaken",
                  COUNT,
                  "Iterators that went on with the index because their set was evicted",
                  QueryCacheSnapshot::overtaken)
              .counting("iterators"));
}
