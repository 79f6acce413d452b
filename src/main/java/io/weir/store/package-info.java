/**
 * The write path of a directory: ring 2, uses {@code rate}, {@code time} and lucene-core.
 *
 * <p>{@link io.weir.store.RateLimitedDirectory} charges every byte a merge writes to a {@link
 * io.weir.rate.ByteBudget} before the byte passes; {@link io.weir.store.MergeWrites} is the one
 * decision which writes those are; {@link io.weir.store.RateLimitedIndexOutput} does the charging.
 * {@link io.weir.store.MergeClaim} is the seam for a merge scheduler: bound to a segment's name, it
 * says who pays for that merge and how the merge waits.
 *
 * <p>* Writeback smoothing and resident files will stand here too.
 */
package io.weir.store;
