/**
 * Filters on the heap and outside it: {@link io.weir.benchmark.filters.FiltersBenchmark} repeats an
 * experiment of 2014. A {@link io.weir.benchmark.filters.FilterArm} is one cache with one heap, a
 * {@link io.weir.benchmark.filters.FilterClient} the JVM that searches with it.
 */
package io.weir.benchmark.filters;
