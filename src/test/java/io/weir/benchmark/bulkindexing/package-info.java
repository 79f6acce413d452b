/**
 * What bulk indexing costs with Weir and without, merges included: {@link
 * io.weir.benchmark.bulkindexing.BulkIndexingBenchmark}. An {@link
 * io.weir.benchmark.bulkindexing.IndexingArm} is one way to index, an {@link
 * io.weir.benchmark.bulkindexing.IndexingRun} one index built by it, an {@link
 * io.weir.benchmark.bulkindexing.IndexingJvm} where runs are made one after the other.
 */
package io.weir.benchmark.bulkindexing;
