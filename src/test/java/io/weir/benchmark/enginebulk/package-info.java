/**
 * What bulk indexing costs in a server that has Weir's plug-in: {@link
 * io.weir.benchmark.enginebulk.EngineBulkBenchmark}.
 */
package io.weir.benchmark.enginebulk;
