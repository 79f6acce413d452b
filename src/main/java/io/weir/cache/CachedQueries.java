package io.weir.cache;

import io.weir.metrics.QueryCacheSnapshot;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.RamUsageEstimator;

/**
 * What is cached: for each query, a set of documents for each segment. The query that was not used
 * for the longest time is evicted first, with all of its sets.
 *
 * <p>Concurrency: {@link #find} takes no lock; it may return a set that is evicted at that moment,
 * which the set's iterator notices. Everything that changes takes {@link #lock}, under which memory
 * is taken and freed. A set is marked as evicted before its memory is freed.
 *
 * <p><b>Threads:</b> any. Whoever takes memory may wait some milliseconds for a new slab.
 */
final class CachedQueries implements Space {

  private final int maxQueries;
  private final long maxBytes;
  private final NanoClock clock;
  private final ReentrantLock lock = new ReentrantLock();

  private final Set<Filling> filling = ConcurrentHashMap.newKeySet();

  // Written under lock.
  private final Map<Query, CachedQuery> queries = new ConcurrentHashMap<>();

  // All guarded by lock.
  private final PagePool pool;
  private final Set<IndexReader.CacheKey> segments = new HashSet<>(); // that tell when they close
  private long sets;
  private long setBytes; // of the pool; builders hold what else is used of it
  private long heapBytes;
  private long inserts;
  private long evictions;
  private long refusals;

  /** A query, and its sets by segment. */
  private static final class CachedQuery {

    private final Query query;
    private final long heapBytes;
    private final Map<IndexReader.CacheKey, CachedDocs> sets = new ConcurrentHashMap<>();
    private volatile long lastUsedNanos;

    CachedQuery(Query query) {
      this.query = query;
      this.heapBytes =
          query instanceof Accountable accountable
              ? accountable.ramBytesUsed()
              : RamUsageEstimator.QUERY_DEFAULT_RAM_BYTES_USED;
    }
  }

  /** A set that some thread computes. */
  private record Filling(Query query, IndexReader.CacheKey segment) {}

  CachedQueries(int maxQueries, long maxBytes, NanoClock clock, Memory memory) {
    this.maxQueries = maxQueries;
    this.maxBytes = maxBytes;
    this.clock = clock;
    this.pool = new PagePool(maxBytes, memory);
  }

  /** The set of a query in a segment. */
  Optional<CachedDocs> find(Query query, IndexReader.CacheKey segment) {
    CachedQuery cached = queries.get(query);
    CachedDocs docs = cached == null ? null : cached.sets.get(segment);
    if (docs == null || !docs.isIntact()) {
      return Optional.empty();
    }
    cached.lastUsedNanos = clock.nanoTime();
    return Optional.of(docs);
  }

  /** Whether the caller is to compute a set, and not another thread already. */
  boolean beginFilling(Query query, IndexReader.CacheKey segment) {
    return filling.add(new Filling(query, segment));
  }

  /** After {@link #beginFilling} was true, whatever came of it. */
  void endFilling(Query query, IndexReader.CacheKey segment) {
    filling.remove(new Filling(query, segment));
  }

  /**
   * Adds a set, whose memory belongs to this from now on, until the query is evicted or the segment
   * is closed. If the set cannot be added, it is evicted at once.
   *
   * @throws IOException if the last reference to the reader was released meanwhile, and closing it
   *     fails
   */
  void add(Query query, LeafReader reader, CachedDocs docs) throws IOException {
    if (!reader.tryIncRef()) { // nothing would tell that the segment is closed
      withLock(() -> drop(docs));
      return;
    }
    try {
      IndexReader.CacheHelper segment = reader.getCoreCacheHelper();
      if (addFirst(query, segment.getKey(), docs)) {
        segment.addClosedListener(this::forget); // without the lock: Lucene calls it under one
      }
    } finally {
      reader.decRef();
    }
  }

  /** Whether it is the first set of this segment. */
  private boolean addFirst(Query query, IndexReader.CacheKey segment, CachedDocs docs) {
    lock.lock();
    try {
      insert(query, segment, docs);
      return segments.add(segment);
    } finally {
      lock.unlock();
    }
  }

  private void insert(Query query, IndexReader.CacheKey segment, CachedDocs docs) {
    CachedQuery cached = queries.computeIfAbsent(query, this::newQuery);
    cached.lastUsedNanos = clock.nanoTime();
    if (cached.sets.putIfAbsent(segment, docs) != null) {
      drop(docs);
      return;
    }
    sets++;
    inserts++;
    setBytes += docs.bytes();
    heapBytes += docs.heapBytes();
    while (!queries.isEmpty()
        && (queries.size() > maxQueries || pool.usedBytes() + heapBytes > maxBytes)) {
      evictOldest();
    }
  }

  private CachedQuery newQuery(Query query) {
    CachedQuery cached = new CachedQuery(query);
    heapBytes += cached.heapBytes;
    return cached;
  }

  @Override
  public Optional<Extent> take(int bytes) {
    lock.lock();
    try {
      Optional<Extent> extent = pool.take(bytes);
      while (extent.isEmpty() && makeRoomFor(bytes)) {
        extent = pool.take(bytes);
      }
      refusals += extent.isEmpty() ? 1 : 0;
      return extent;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void free(Extent extent) {
    withLock(() -> pool.free(extent));
  }

  /** Adds a slab or evicts a query; does nothing if even the eviction of all would not suffice. */
  private boolean makeRoomFor(int bytes) {
    boolean isFull = pool.reservedBytes() + heapBytes >= maxBytes;
    if (!isFull && pool.grow()) {
      return true;
    }
    // If queries on the heap are in the way of a slab, their eviction makes room for it.
    long mostBytes = isFull ? maxBytes : pool.reservedBytes();
    long heldByBuilders = pool.usedBytes() - setBytes;
    boolean canEvict = bytes <= mostBytes - heldByBuilders && !queries.isEmpty();
    if (canEvict) {
      evictOldest();
    }
    return canEvict;
  }

  private void evictOldest() {
    long nowNanos = clock.nanoTime();
    queries.values().stream()
        .min(Comparator.comparingLong(query -> query.lastUsedNanos - nowNanos))
        .ifPresent(this::evict);
  }

  private void evict(CachedQuery query) {
    queries.remove(query.query);
    heapBytes -= query.heapBytes;
    query.sets.values().forEach(this::dropCounted);
    query.sets.clear();
  }

  private void dropCounted(CachedDocs docs) {
    sets--;
    evictions++;
    setBytes -= docs.bytes();
    heapBytes -= docs.heapBytes();
    drop(docs);
  }

  private void drop(CachedDocs docs) {
    docs.extent()
        .ifPresent(
            extent -> {
              docs.evict();
              pool.free(extent);
            });
  }

  /** Removes the sets of a closed segment, and the queries that have no others. */
  private void forget(IndexReader.CacheKey segment) {
    withLock(
        () -> {
          segments.remove(segment);
          for (CachedQuery query : queries.values()) {
            CachedDocs docs = query.sets.remove(segment);
            if (docs != null) {
              dropCounted(docs);
              if (query.sets.isEmpty()) {
                evict(query);
              }
            }
          }
        });
  }

  /** Removes everything. */
  void clear() {
    withLock(() -> queries.values().forEach(this::evict));
  }

  /** The figures of this part, with those of the searches, which others count. */
  QueryCacheSnapshot snapshot(long hits, long misses, long overtaken) {
    lock.lock();
    try {
      return new QueryCacheSnapshot(
          queries.size(),
          sets,
          pool.usedBytes(),
          pool.reservedBytes(),
          heapBytes,
          maxBytes,
          hits,
          misses,
          inserts,
          evictions,
          refusals,
          overtaken);
    } finally {
      lock.unlock();
    }
  }

  private void withLock(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }
}
