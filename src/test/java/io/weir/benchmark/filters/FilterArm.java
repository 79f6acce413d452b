package io.weir.benchmark.filters;

import io.weir.cache.OffHeapQueryCache;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.QueryCache;

/** A query cache, and the heap that it runs with. */
enum FilterArm {
  /** Lucene's own, with its sets on the heap. */
  STOCK,
  /** Ours, with the same heap. */
  OFF_HEAP,
  /** Ours, with a heap that would not hold the sets. */
  OFF_HEAP_SMALL;

  /** For all that is no filter. */
  private static final long OTHER_HEAP_BYTES = 1L << 30;

  private static final long SMALL_HEAP_BYTES = 512L << 20;

  /** Filters are always cached, as in Solr: no search is too short for it. */
  private static final float ANY_COST = Float.POSITIVE_INFINITY;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static FilterArm of(String label) {
    return Arrays.stream(values())
        .filter(arm -> arm.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--arms must be some of stock, off-heap, off-heap-small: " + label));
  }

  /** Room for the sets of all filters, and an eighth more. */
  static long cacheBytes(FiltersBenchmark.Plan plan) {
    return Math.max(16L << 20, (long) plan.filters() * plan.documents() / Byte.SIZE / 8 * 9);
  }

  /** The options of the JVM. */
  List<String> memory(FiltersBenchmark.Plan plan) {
    long heap = this == OFF_HEAP_SMALL ? SMALL_HEAP_BYTES : OTHER_HEAP_BYTES + cacheBytes(plan);
    return List.of(
        "-Xmx" + (heap >> 20) + "m",
        "-XX:MaxDirectMemorySize=" + (cacheBytes(plan) / 2 * 3 >> 20) + "m");
  }

  QueryCache cache(FiltersBenchmark.Plan plan) {
    int queries = 2 * plan.filters(); // a query with its filter is asked for, too
    return this == STOCK
        ? new LRUQueryCache(queries, cacheBytes(plan), segment -> true, ANY_COST)
        : new OffHeapQueryCache(queries, cacheBytes(plan), segment -> true, ANY_COST);
  }
}
