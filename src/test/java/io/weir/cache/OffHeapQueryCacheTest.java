package io.weir.cache;

import static io.weir.cache.FilteredIndex.found;
import static io.weir.cache.FilteredIndex.id;
import static io.weir.cache.FilteredIndex.remainder;
import static io.weir.cache.FilteredIndex.searcher;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import io.weir.metrics.QueryCacheSnapshot;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Searches find the same with the cache and without, whatever is cached, evicted or deleted. */
@Timeout(120)
class OffHeapQueryCacheTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 15_000;
  private static final int ALL = SEGMENTS * DOCUMENTS;
  private static final Predicate<LeafReaderContext> EACH = segment -> true;
  private static final Query HALF = remainder(2, 0);
  private static final Query THIRD = remainder(3, 1);
  private static final Query FEW = remainder(300, 5);

  private static FilteredIndex index;

  private final SteppedClock clock = new SteppedClock();

  @BeforeAll
  static void build() throws IOException {
    index = new FilteredIndex(SEGMENTS, DOCUMENTS);
  }

  @AfterAll
  static void close() throws IOException {
    index.close();
  }

  @Test
  void search_atRandom_findsWhatItFindsWithoutTheCache() throws IOException {
    Random random = new Random(3);
    OffHeapQueryCache cache = cache(20, 1 << 20, new PoisonedMemory());
    try (FilteredIndex deleting = new FilteredIndex(2, 12_000)) {
      for (int round = 0; round < 3; round++) {
        deleting.delete(remainder(7, round));
        try (DirectoryReader reader = deleting.open()) {
          IndexSearcher cached = searcher(reader, cache);
          IndexSearcher plain = searcher(reader, null);
          for (int i = 0; i < 60; i++) {
            clock.advanceNanos(1);
            Query query = FilteredIndex.random(random, 24_000);
            assertEquals(found(plain, query), found(cached, query), query::toString);
            assertEquals(plain.count(query), cached.count(query), query::toString);
            Query narrow = and(id(random.nextInt(24_000)), query);
            assertEquals(found(plain, narrow), found(cached, narrow), narrow::toString);
          }
        }
        assertEquals(0, cache.snapshot().sets(), "a segment is closed");
        assertEquals(0, cache.snapshot().usedBytes());
        assertEquals(0, cache.snapshot().heapBytes());
      }
    }
    QueryCacheSnapshot end = cache.snapshot();
    assertTrue(end.hits() > 300, end.toString());
    assertEquals(end.inserts(), end.evictions());
  }

  @Test
  void search_again_isAHit_inEachSegment() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      IndexSearcher searcher = searcher(reader, cache);
      found(searcher, HALF);
      assertEquals(SEGMENTS, cache.snapshot().misses());
      assertEquals(SEGMENTS, cache.snapshot().sets());
      assertEquals(1, cache.snapshot().queries());
      found(searcher, remainder(2, 0));
      assertEquals(SEGMENTS, cache.snapshot().hits());
      assertEquals(SEGMENTS, cache.snapshot().inserts());
      assertEquals(SEGMENTS * PagePool.roundUp(DOCUMENTS / 8), cache.snapshot().usedBytes());
      assertEquals(
          cache.snapshot().usedBytes() + cache.snapshot().heapBytes(), cache.ramBytesUsed());
      cache.clear();
      assertEquals(0, cache.ramBytesUsed());
      assertEquals(1 << 20, cache.snapshot().reservedBytes());
    }
  }

  @Test
  void evict_pastTheLimitOfQueries_takesTheOneUsedLongestAgo() throws IOException {
    OffHeapQueryCache cache = cache(2, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      IndexSearcher searcher = searcher(reader, cache);
      search(searcher, HALF);
      search(searcher, THIRD);
      search(searcher, HALF);
      search(searcher, FEW);
      assertEquals(2, cache.snapshot().queries());
      assertEquals(SEGMENTS, cache.snapshot().evictions());
      long misses = cache.snapshot().misses();
      search(searcher, HALF);
      search(searcher, FEW);
      assertEquals(misses, cache.snapshot().misses());
      search(searcher, THIRD);
      assertEquals(misses + SEGMENTS, cache.snapshot().misses());
    }
  }

  @Test
  void evict_pastTheLimitOfBytes_keepsWithinIt() throws IOException {
    OffHeapQueryCache cache = cache(10_000, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      IndexSearcher searcher = searcher(reader, cache);
      for (int i = 0; i < 700; i++) {
        search(searcher, remainder(2000, i));
        if (i % 100 == 0) {
          search(searcher, and(HALF, remainder(7, i / 100)));
        }
        assertTrue(cache.ramBytesUsed() <= 1 << 20, cache.snapshot().toString());
      }
      assertTrue(cache.snapshot().evictions() > 0);
      assertTrue(cache.snapshot().queries() > 50, cache.snapshot().toString());
    }
  }

  @Test
  void search_withoutMemory_findsAll_andCachesNothing() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory(0));
    try (DirectoryReader reader = index.open()) {
      IndexSearcher searcher = searcher(reader, cache);
      for (Query query : List.of(HALF, FEW)) {
        assertEquals(found(searcher(reader, null), query), found(searcher, query));
        assertEquals(1, found(searcher, and(id(0), remainder(2, 0))).size());
      }
      assertEquals(0, cache.snapshot().usedBytes());
      assertTrue(cache.snapshot().refusals() > SEGMENTS, cache.snapshot().toString());
    }
  }

  @Test
  void scorer_whoseSetIsEvictedWhileItIsRead_goesOnWithTheIndex() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      IndexSearcher searcher = searcher(reader, cache);
      found(searcher, HALF);
      LeafReaderContext segment = reader.leaves().get(0);
      var docs =
          searcher
              .createWeight(HALF, ScoreMode.COMPLETE_NO_SCORES, 1)
              .scorerSupplier(segment)
              .get(DOCUMENTS)
              .iterator();
      for (int doc = 0; doc < DOCUMENTS; doc += 2) {
        assertEquals(doc, docs.nextDoc());
        if (doc == 1000) {
          cache.clear();
        }
      }
      assertEquals(1, cache.snapshot().overtaken());
    }
  }

  /** Sets are evicted all the time, and their memory is overwritten or used for others. */
  @Test
  void search_whileAllIsEvictedAgainAndAgain_findsTheSame() throws Exception {
    OffHeapQueryCache cache =
        new OffHeapQueryCache(6, 1 << 20, EACH, 10, NanoClock.SYSTEM, new PoisonedMemory());
    int threads = 3;
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
    try (DirectoryReader reader = index.open()) {
      List<Query> queries = new ArrayList<>();
      Map<Query, List<Integer>> expected = new HashMap<>();
      Random random = new Random(11);
      for (int i = 0; i < 12; i++) {
        Query query = FilteredIndex.random(random, ALL);
        queries.add(query);
        expected.put(query, found(searcher(reader, null), query));
      }
      Future<Integer> evictor =
          pool.submit(
              () -> {
                int rounds = 0;
                for (; !done.get(); rounds++) {
                  cache.clear();
                  Thread.onSpinWait();
                }
                return rounds;
              });
      List<Callable<Void>> searches = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        Random own = new Random(thread);
        searches.add(
            () -> {
              IndexSearcher searcher = searcher(reader, cache);
              for (int i = 0; i < 20_000 && (i < 100 || cache.snapshot().overtaken() < 20); i++) {
                Query query = queries.get(own.nextInt(queries.size()));
                assertEquals(expected.get(query), found(searcher, query), query::toString);
              }
              return null;
            });
      }
      for (Future<Void> search : pool.invokeAll(searches)) {
        search.get();
      }
      done.set(true);
      assertTrue(evictor.get() > 0);
      assertTrue(cache.snapshot().overtaken() >= 20, cache.snapshot().toString());
      cache.clear();
      assertEquals(0, cache.snapshot().usedBytes(), "something is lost");
    } finally {
      done.set(true); // the evictor knows no interrupt
      pool.shutdownNow();
    }
  }

  @Test
  void policy_isAskedAsByLucene() throws IOException {
    List<String> calls = new ArrayList<>();
    QueryCachingPolicy never =
        new QueryCachingPolicy() {
          @Override
          public void onUse(Query query) {
            calls.add("use " + query);
          }

          @Override
          public boolean shouldCache(Query query) {
            calls.add("cache " + query);
            return false;
          }
        };
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      IndexSearcher searcher = searcher(reader, cache);
      searcher.setQueryCachingPolicy(never);
      found(searcher, HALF);
      assertEquals(1, calls.stream().filter(("use " + HALF)::equals).count(), calls.toString());
      assertEquals(
          SEGMENTS, calls.stream().filter(("cache " + HALF)::equals).count(), calls.toString());
      assertEquals(0, cache.snapshot().sets());
    }
  }

  @Test
  void scorer_ofASearchThatNeedsFewDocuments_doesNotFillACostlySet() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      IndexSearcher searcher = searcher(reader, cache);
      assertEquals(1, found(searcher, and(id(4), HALF)).size());
      assertEquals(
          0,
          cache.queries().find(HALF, key(reader.leaves().get(0))).map(d -> 1).orElse(0),
          "half of the documents for one");
    }
  }

  @Test
  void count_ofACachedQuery_isThatOfTheSet_unlessDocumentsAreDeleted() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    try (FilteredIndex deleting = new FilteredIndex(1, 12_000)) {
      Query range = and(HALF, THIRD);
      try (DirectoryReader reader = deleting.open()) {
        IndexSearcher searcher = searcher(reader, cache);
        Weight weight = searcher.createWeight(range, ScoreMode.COMPLETE_NO_SCORES, 1);
        LeafReaderContext segment = reader.leaves().get(0);
        assertEquals(-1, weight.count(segment));
        found(searcher, range);
        assertEquals(2000, weight.count(segment));
        deleting.delete(remainder(50, 4));
        try (DirectoryReader later = DirectoryReader.openIfChanged(reader)) {
          IndexSearcher after = searcher(later, cache);
          Weight same = after.createWeight(range, ScoreMode.COMPLETE_NO_SCORES, 1);
          assertEquals(-1, same.count(later.leaves().get(0)));
          long hits = cache.snapshot().hits();
          assertEquals(found(searcher(later, null), range), found(after, range));
          assertTrue(cache.snapshot().hits() > hits, "the set of the segment is the same");
        }
      }
    }
  }

  @Test
  void nothing_isCachedToo() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      IndexSearcher searcher = searcher(reader, cache);
      Query none = and(HALF, and(remainder(2, 1), THIRD));
      assertEquals(List.of(), found(searcher, none));
      assertEquals(List.of(), found(searcher, none));
      assertEquals(List.of(), found(searcher, new MatchNoDocsQuery("")));
      assertTrue(cache.snapshot().hits() >= SEGMENTS, cache.snapshot().toString());
    }
  }

  @Test
  void segments_thatAreSmall_areNotCachedByDefault() throws IOException {
    OffHeapQueryCache cache = new OffHeapQueryCache(10, 1 << 20);
    try (FilteredIndex small = new FilteredIndex(1, 9_999);
        DirectoryReader few = small.open();
        DirectoryReader many = index.open()) {
      found(searcher(few, cache), HALF);
      assertEquals(0, cache.snapshot().misses());
      found(searcher(many, cache), HALF);
      assertEquals(SEGMENTS, cache.snapshot().sets());
    }
  }

  /** Five sets with a bit for each document must fit: of 1 MiB, 1,677,727 documents at most. */
  @Test
  void segments_ofAnIndexTooLargeForTheLimit_areNotCached() throws IOException {
    try (DirectoryReader reader = index.open()) {
      int copies = 1_677_727 / ALL;
      assertEquals(1, askedForASegment(reader, copies));
      assertEquals(0, askedForASegment(reader, copies + 1));
    }
  }

  /** How often the rule for segments was asked, in an index of so many copies. */
  private int askedForASegment(DirectoryReader reader, int copies) throws IOException {
    CountedSegments segments = new CountedSegments();
    OffHeapQueryCache cache =
        new OffHeapQueryCache(10, 1 << 20, segments, 10, clock, new PoisonedMemory());
    IndexReader[] same = Collections.nCopies(copies, reader).toArray(IndexReader[]::new);
    try (MultiReader large = new MultiReader(same, false)) {
      IndexSearcher searcher = new IndexSearcher(large);
      searcher.setQueryCache(cache);
      searcher
          .createWeight(HALF, ScoreMode.COMPLETE_NO_SCORES, 1)
          .scorerSupplier(large.leaves().get(0));
    }
    return segments.asked;
  }

  @Test
  void doCache_ofItsOwnWeight_isThatWeight() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      Weight plain = searcher(reader, null).createWeight(HALF, ScoreMode.COMPLETE_NO_SCORES, 1);
      Weight cached = cache.doCache(plain, FilteredIndex.ALWAYS);
      assertNotSame(plain, cached);
      assertSame(cached, cache.doCache(cached, FilteredIndex.ALWAYS));
    }
  }

  @Test
  void options_thatMakeNoSense_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> new OffHeapQueryCache(0, 1 << 20));
    assertThrows(IllegalArgumentException.class, () -> new OffHeapQueryCache(1, 1000));
    assertThrows(
        IllegalArgumentException.class, () -> new OffHeapQueryCache(1, 1 << 20, EACH, Float.NaN));
  }

  /** Nothing would remove it again. */
  @Test
  void add_ofASegmentThatIsClosed_freesTheSet() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    LeafReaderContext segment;
    try (DirectoryReader reader = index.open()) {
      segment = reader.leaves().get(0);
    }
    try (DocsBuilder builder = DenseBuilder.of(cache.queries(), DOCUMENTS).orElseThrow()) {
      builder.collect(7);
      cache.queries().add(HALF, segment.reader(), builder.build());
    }
    assertEquals(0, cache.snapshot().sets());
    assertEquals(0, cache.snapshot().usedBytes());
  }

  @Test
  void beginFilling_whileAnotherThreadComputesTheSet_isRefused() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      IndexSearcher searcher = searcher(reader, cache);
      for (LeafReaderContext segment : reader.leaves()) {
        assertTrue(cache.queries().beginFilling(HALF, key(segment)));
      }
      assertEquals(ALL / 2, found(searcher, HALF).size());
      assertEquals(0, cache.snapshot().sets());
      for (LeafReaderContext segment : reader.leaves()) {
        cache.queries().endFilling(HALF, key(segment));
      }
      assertEquals(ALL / 2, found(searcher, HALF).size());
      assertEquals(SEGMENTS, cache.snapshot().sets());
    }
  }

  /** Both searches looked before either had computed it. */
  @Test
  void scorers_ofTwoSearchesThatFoundNoSet_computeItOnce() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      Weight weight = searcher(reader, cache).createWeight(HALF, ScoreMode.COMPLETE_NO_SCORES, 1);
      LeafReaderContext segment = reader.leaves().get(0);
      ScorerSupplier first = weight.scorerSupplier(segment);
      ScorerSupplier second = weight.scorerSupplier(segment);
      for (ScorerSupplier search : List.of(first, second)) {
        DocIdSetIterator docs = search.get(Long.MAX_VALUE).iterator();
        int count = 0;
        while (docs.nextDoc() < DocIdSetIterator.NO_MORE_DOCS) {
          count++;
        }
        assertEquals(DOCUMENTS / 2, count);
      }
      assertEquals(1, cache.snapshot().inserts());
      assertEquals(0, cache.snapshot().overtaken());
    }
  }

  /** Builders hold what no eviction frees. */
  @Test
  void take_ofMoreThanEvictionsWouldFree_evictsNothing() throws IOException {
    OffHeapQueryCache cache = cache(10, 1 << 20, new PoisonedMemory());
    int pages = (1 << 20) / PagePool.PAGE_BYTES;
    try (DirectoryReader reader = index.open()) {
      search(searcher(reader, cache), HALF);
      assertTrue(cache.queries().take((pages - 10) * PagePool.PAGE_BYTES).isPresent());
      assertTrue(cache.queries().take(11 * PagePool.PAGE_BYTES).isEmpty());
      assertEquals(1, cache.snapshot().queries());
      assertTrue(cache.queries().take(10 * PagePool.PAGE_BYTES).isPresent(), "after an eviction");
      assertEquals(0, cache.snapshot().queries());
    }
  }

  /** Queries and sets have one limit; memory that is taken for sets is never given back. */
  @Test
  void take_whileQueriesFillTheLimit_takesNoMoreMemory() throws IOException {
    OffHeapQueryCache cache = cache(10, 4 * PagePool.SLAB_BYTES, new PoisonedMemory());
    try (DirectoryReader reader = index.open()) {
      Query large = largeQuery(3 * PagePool.SLAB_BYTES);
      cache.queries().add(large, reader.leaves().get(0).reader(), CachedDocs.NONE);
      assertTrue(cache.snapshot().heapBytes() > 3 * PagePool.SLAB_BYTES);
      for (int i = 0; i < 3; i++) {
        assertTrue(cache.queries().take(PagePool.SLAB_BYTES).isPresent());
        QueryCacheSnapshot now = cache.snapshot();
        assertTrue(now.reservedBytes() + now.heapBytes() <= 5 * PagePool.SLAB_BYTES, "" + now);
      }
      assertEquals(0, cache.snapshot().queries(), "evicted for the sets");
    }
  }

  private static Query largeQuery(int bytes) {
    List<BytesRef> terms = new ArrayList<>();
    for (int i = 0; i < bytes >> 20; i++) {
      byte[] term = new byte[1 << 20];
      term[0] = (byte) i;
      terms.add(new BytesRef(term));
    }
    return new TermInSetQuery("id", terms);
  }

  /** Accepts each, and counts. */
  private static final class CountedSegments implements Predicate<LeafReaderContext> {

    private int asked;

    @Override
    public boolean test(LeafReaderContext segment) {
      asked++;
      return true;
    }
  }

  private OffHeapQueryCache cache(int maxQueries, long maxBytes, Memory memory) {
    return new OffHeapQueryCache(maxQueries, maxBytes, EACH, 10, clock, memory);
  }

  private void search(IndexSearcher searcher, Query query) throws IOException {
    clock.advanceNanos(1);
    found(searcher, query);
  }

  private static Query and(Query one, Query other) {
    return new BooleanQuery.Builder()
        .add(one, BooleanClause.Occur.FILTER)
        .add(other, BooleanClause.Occur.FILTER)
        .build();
  }

  private static IndexReader.CacheKey key(LeafReaderContext segment) {
    return segment.reader().getCoreCacheHelper().getKey();
  }
}
