/**
 * What a merge reads and writes, as it is charged, and as the kernel and the disk count it: {@link
 * io.weir.benchmark.mergeaudit.MergeAuditBenchmark}.
 */
package io.weir.benchmark.mergeaudit;
