/**
 * What Weir costs and how exact it is, measured. {@link io.weir.benchmark.BenchmarkMain} is what
 * {@code tools/bench} starts; each sub-package is one benchmark, and {@code kit} is what they
 * share. Every benchmark also runs small in the test suite, so that none of them can rot.
 */
package io.weir.benchmark;
