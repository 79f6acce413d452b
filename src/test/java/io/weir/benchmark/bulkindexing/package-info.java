/**
 * What bulk indexing costs with Weir and without, merges included: {@link
 * io.weir.benchmark.bulkindexing.BulkIndexingBenchmark}. An {@link
 * io.weir.benchmark.bulkindexing.IndexingArm} is one way to index, an {@link
 * io.weir.benchmark.bulkindexing.IndexingRun} one index built by it, in a JVM of its own.
 */
package io.weir.benchmark.bulkindexing;
