package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.time.NanoClock;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The meters of a query cache outside the heap, {@code io.weir.cache.OffHeapQueryCache} of the
 * artifact {@code weir-query-cache}. Bind it once for each cache, with its own tags.
 */
public final class QueryCacheMetrics extends WeirMeterBinder {

  private static final String HIT = "hit";
  private static final String MISS = "miss";

  private final Supplier<QueryCacheSnapshot> cache;

  /**
   * Without further tags.
   *
   * @param cache the figures now: {@code cache::snapshot}
   */
  public QueryCacheMetrics(Supplier<QueryCacheSnapshot> cache) {
    this(cache, Tags.empty());
  }

  /**
   * With additional tags.
   *
   * @param cache the figures now: {@code cache::snapshot}
   * @param tags without the key {@code result}
   */
  public QueryCacheMetrics(Supplier<QueryCacheSnapshot> cache, Tags tags) {
    super(tags, TagKeys.RESULT);
    this.cache = Objects.requireNonNull(cache, "cache");
  }

  @Override
  Runnable register(MeterSet meters) {
    Reading<QueryCacheSnapshot> now = new Reading<>(cache, NanoClock.SYSTEM);
    meters.counter(WeirMeter.QUERY_CACHE_LOOKUPS, () -> now.get().hits(), HIT);
    meters.counter(WeirMeter.QUERY_CACHE_LOOKUPS, () -> now.get().misses(), MISS);
    meters.all(QueryCacheSnapshot.FIGURES, now);
    return () -> {};
  }
}
