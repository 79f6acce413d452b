package io.weir.cache;

import io.weir.metrics.QueryCacheSnapshot;
import io.weir.time.NanoClock;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Accountable;

/**
 * Caches which documents match a filter, as Lucene's {@code LRUQueryCache} does, but outside the
 * heap. The garbage collector neither traces nor copies the cached sets, so the heap can be small.
 *
 * <pre>{@code
 * QueryCache cache = new OffHeapQueryCache(1000, 512L << 20); // one for any number of indexes
 * searcher.setQueryCache(cache);                              // or IndexSearcher.setDefaultQueryCache(cache)
 * }</pre>
 *
 * <p>What is cached is as with Lucene's: clauses that need no score, that the searcher's {@link
 * QueryCachingPolicy} selects, in segments that {@code segments} accepts, if computing all of their
 * documents costs at most {@code skipCacheFactor} times what the search needs. It is evicted when
 * its segment is closed, or when a limit is reached; then the query that was not used for the
 * longest time goes first. Unlike there, while one search computes a set, others go on without it.
 *
 * <p><b>Units:</b> {@code maxBytes} limits sets and queries together: what sets use outside the
 * heap, and an estimate of what queries take on it. Memory once taken for sets stays with the
 * cache, so it may hold up to {@code maxBytes} outside the heap, and queries beside it. The JVM
 * limits the memory outside the heap too, by {@code -XX:MaxDirectMemorySize}; the default is the
 * maximum heap. A quarter of that limit stays free.
 *
 * <p><b>Threads:</b> any. A lookup takes no lock. A set may be evicted while a search reads it; the
 * search notices, and goes on with the index.
 *
 * <p><b>Ownership:</b> needs no close. The memory stays with the cache for later sets; the JVM
 * frees it after the cache and all searches are unreachable.
 *
 * <p><b>Failure:</b> a search never fails for lack of memory; then the filter is not cached, and
 * the first time is logged.
 */
public final class OffHeapQueryCache implements QueryCache, Accountable {

  private static final float DEFAULT_SKIP_CACHE_FACTOR = 10;

  /** Room for fewer sets of a segment would only evict each other. */
  private static final int LEAST_SETS = 5;

  private final long maxBytes;
  private final Predicate<LeafReaderContext> segments;
  private final float skipCacheFactor;
  private final CachedQueries queries;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder overtaken = new LongAdder();

  /**
   * A cache with Lucene's defaults: segments of at least 10,000 documents and more than half of the
   * mean, a factor of 10.
   *
   * @param maxQueries at least 1
   * @param maxBytes at least 1 MiB
   */
  public OffHeapQueryCache(int maxQueries, long maxBytes) {
    this(maxQueries, maxBytes, new LargeSegments(), DEFAULT_SKIP_CACHE_FACTOR);
  }

  /**
   * A cache.
   *
   * @param maxQueries at least 1
   * @param maxBytes at least 1 MiB
   * @param segments that may be cached
   * @param skipCacheFactor at least 1
   */
  public OffHeapQueryCache(
      int maxQueries, long maxBytes, Predicate<LeafReaderContext> segments, float skipCacheFactor) {
    this(
        maxQueries,
        maxBytes,
        Objects.requireNonNull(segments, "segments"),
        skipCacheFactor,
        NanoClock.SYSTEM,
        DirectMemory.OF_THIS_JVM);
  }

  OffHeapQueryCache(
      int maxQueries,
      long maxBytes,
      Predicate<LeafReaderContext> segments,
      float skipCacheFactor,
      NanoClock clock,
      Memory memory) {
    if (maxQueries < 1) {
      throw new IllegalArgumentException("maxQueries must be at least 1: " + maxQueries);
    }
    if (maxBytes < 1 << 20) {
      throw new IllegalArgumentException("maxBytes must be at least 1048576 bytes: " + maxBytes);
    }
    if (!(skipCacheFactor >= 1)) { // so is NaN
      throw new IllegalArgumentException("skipCacheFactor must be at least 1: " + skipCacheFactor);
    }
    this.maxBytes = maxBytes;
    this.segments = Objects.requireNonNull(segments, "segments");
    this.skipCacheFactor = skipCacheFactor;
    this.queries = new CachedQueries(maxQueries, maxBytes, clock, memory);
  }

  @Override
  public Weight doCache(Weight weight, QueryCachingPolicy policy) {
    return weight instanceof CachingWeight ? weight : new CachingWeight(weight, policy, this);
  }

  /** Evicts everything. The memory stays with the cache. */
  public void clear() {
    queries.clear();
  }

  /** What is cached now, and what was done so far. */
  public QueryCacheSnapshot snapshot() {
    return queries.snapshot(hits.sum(), misses.sum(), overtaken.sum());
  }

  /** What is cached now: outside the heap, and, estimated, on it. */
  @Override
  public long ramBytesUsed() {
    QueryCacheSnapshot now = snapshot();
    return now.usedBytes() + now.heapBytes();
  }

  /** Where sets are stored. */
  CachedQueries queries() {
    return queries;
  }

  /** Whether filling a set costs so much that a search that needs few documents should not wait. */
  boolean isTooCostly(long cost, long leadCost) {
    return cost / skipCacheFactor > leadCost;
  }

  /** Whether sets of this segment may be cached. */
  boolean admits(LeafReaderContext segment) {
    long worstBytes = ReaderUtil.getTopLevelContext(segment).reader().maxDoc() / Byte.SIZE;
    return worstBytes * LEAST_SETS < maxBytes
        && segments.test(segment)
        && segment.reader().getCoreCacheHelper() != null;
  }

  /** Looks a set up, and counts that. */
  Optional<CachedDocs> lookUp(Query query, IndexReader.CacheKey segment) {
    Optional<CachedDocs> found = queries.find(query, segment);
    (found.isPresent() ? hits : misses).increment();
    return found;
  }

  /** Counts that a set was evicted while it was read. */
  void countOvertaken() {
    overtaken.increment();
  }

  /**
   * Segments that are worth a set of their own: at least 10,000 documents, and more than half of
   * the mean of the index. Smaller ones are merged soon, and searching them is fast.
   *
   * <p>Source: Lucene 10.5.1, the default of {@code LRUQueryCache}.
   */
  static final class LargeSegments implements Predicate<LeafReaderContext> {

    private static final int LEAST_DOCS = 10_000;

    @Override
    public boolean test(LeafReaderContext segment) {
      int docs = segment.reader().maxDoc();
      IndexReaderContext index = ReaderUtil.getTopLevelContext(segment);
      return docs >= LEAST_DOCS && docs > index.reader().maxDoc() / index.leaves().size() / 2.0;
    }
  }
}
