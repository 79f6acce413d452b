package io.weir.cache;

import io.weir.lucene.ConstantScores;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;

/**
 * A filter in one search: takes its documents from the cache, or puts them there.
 *
 * <p><b>Threads:</b> any.
 */
final class CachingWeight extends FilterWeight {

  /** One in so many documents: with more than that a set has a bit for each. */
  private static final int DENSE = 100;

  private final QueryCachingPolicy policy;
  private final OffHeapQueryCache cache;
  private final AtomicBoolean used = new AtomicBoolean();

  CachingWeight(Weight in, QueryCachingPolicy policy, OffHeapQueryCache cache) {
    super(in);
    this.policy = policy;
    this.cache = cache;
  }

  @Override
  public ScorerSupplier scorerSupplier(LeafReaderContext segment) throws IOException {
    countUse();
    if (!isCacheable(segment) || !cache.admits(segment)) {
      return in.scorerSupplier(segment);
    }
    Optional<CachedDocs> found = cache.lookUp(getQuery(), keyOf(segment));
    if (found.isPresent()) {
      return found.get().count() == 0 ? null : new Cached(segment, found.get());
    }
    ScorerSupplier uncached = in.scorerSupplier(segment);
    if (!policy.shouldCache(getQuery())) {
      return uncached;
    }
    if (uncached == null) {
      cache.queries().add(getQuery(), segment.reader(), CachedDocs.NONE);
      return null;
    }
    return new Filling(segment, uncached);
  }

  @Override
  public int count(LeafReaderContext segment) throws IOException {
    if (segment.reader().hasDeletions()) { // sets have deleted documents, too
      return in.count(segment);
    }
    countUse();
    if (!isCacheable(segment) || !cache.admits(segment)) {
      return in.count(segment);
    }
    Optional<CachedDocs> found = cache.lookUp(getQuery(), keyOf(segment));
    return found.isPresent() ? found.get().count() : in.count(segment);
  }

  /** Without scores, as that of Lucene's cache: some queries explain themselves by their scores. */
  @Override
  public Explanation explain(LeafReaderContext segment, int doc) throws IOException {
    Scorer scorer = scorer(segment);
    return scorer != null && scorer.iterator().advance(doc) == doc
        ? Explanation.match(1, getQuery().toString())
        : Explanation.noMatch(getQuery() + " does not match document " + doc);
  }

  private void countUse() {
    if (used.compareAndSet(false, true)) {
      policy.onUse(getQuery());
    }
  }

  private static IndexReader.CacheKey keyOf(LeafReaderContext segment) {
    return segment.reader().getCoreCacheHelper().getKey();
  }

  /** What {@code in} answered before for this segment was not null. */
  private ScorerSupplier uncached(LeafReaderContext segment) throws IOException {
    ScorerSupplier supplier = in.scorerSupplier(segment);
    if (supplier == null) {
      throw new IllegalStateException("a query changed while it ran: " + getQuery());
    }
    return supplier;
  }

  /** A set that was found, or has just been computed. */
  private final class Cached extends ScorerSupplier {

    private final LeafReaderContext segment;
    private final CachedDocs docs;

    Cached(LeafReaderContext segment, CachedDocs docs) {
      this.segment = segment;
      this.docs = docs;
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      return ConstantScores.scorer(in, iterator());
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      DocIdSetIterator iterator = iterator();
      Optional<BulkScorer> byWindows =
          ConstantScores.byWindows(iterator, segment.reader().maxDoc());
      return byWindows.isPresent()
          ? byWindows.get()
          : new DefaultBulkScorer(ConstantScores.scorer(in, iterator));
    }

    @Override
    public long cost() {
      return docs.count();
    }

    private DocIdSetIterator iterator() {
      return docs.count() == 0 ? DocIdSetIterator.empty() : docs.iterator(this::readIndex);
    }

    private DocIdSetIterator readIndex() throws IOException {
      cache.countOvertaken();
      return uncached(segment).get(Long.MAX_VALUE).iterator();
    }
  }

  /** A set that will be computed, unless that costs too much or there is no memory. */
  private final class Filling extends ScorerSupplier {

    private final LeafReaderContext segment;
    private final ScorerSupplier first;
    private final long cost;
    private boolean isSpent; // a supplier serves once

    Filling(LeafReaderContext segment, ScorerSupplier first) {
      this.segment = segment;
      this.first = first;
      this.cost = first.cost();
    }

    @Override
    public Scorer get(long leadCost) throws IOException {
      Optional<CachedDocs> docs = fill(leadCost);
      return docs.isPresent()
          ? new Cached(segment, docs.get()).get(leadCost)
          : uncached().get(leadCost);
    }

    @Override
    public BulkScorer bulkScorer() throws IOException {
      Optional<CachedDocs> docs = fill(Long.MAX_VALUE);
      return docs.isPresent()
          ? new Cached(segment, docs.get()).bulkScorer()
          : ConstantScores.bulkScorer(in, segment, uncached());
    }

    @Override
    public long cost() {
      return cost;
    }

    private ScorerSupplier uncached() throws IOException {
      return isSpent ? CachingWeight.this.uncached(segment) : first;
    }

    private Optional<CachedDocs> fill(long leadCost) throws IOException {
      if (cache.isTooCostly(cost, leadCost)) {
        return Optional.empty();
      }
      IndexReader.CacheKey key = keyOf(segment);
      if (!cache.queries().beginFilling(getQuery(), key)) {
        return Optional.empty();
      }
      try {
        // Since this search looked the set up, another one may have added it.
        Optional<CachedDocs> docs = cache.queries().find(getQuery(), key);
        if (docs.isPresent()) {
          return docs;
        }
        docs = compute();
        if (docs.isPresent()) {
          cache.queries().add(getQuery(), segment.reader(), docs.get());
        }
        return docs;
      } finally {
        cache.queries().endFilling(getQuery(), key);
      }
    }

    private Optional<CachedDocs> compute() throws IOException {
      int maxDoc = segment.reader().maxDoc();
      Space space = cache.queries();
      Optional<DocsBuilder> builder =
          cost >= maxDoc / DENSE
              ? DenseBuilder.of(space, maxDoc)
              : Optional.of(new SparseBuilder(space));
      if (builder.isEmpty()) {
        return Optional.empty();
      }
      isSpent = true;
      try (DocsBuilder docs = builder.get()) {
        ConstantScores.bulkScorer(in, segment, first)
            .score(docs, null, 0, DocIdSetIterator.NO_MORE_DOCS);
        return Optional.of(docs.build());
      } catch (CollectionTerminatedException e) { // no memory
        return Optional.empty();
      }
    }
  }
}
