/**
 * The directories below a writer: they charge and smooth what merges write, and take from readers
 * what they would wait for.
 *
 * <p>Ring 2: uses {@code lucene}, {@code rate}, {@code procfs}, {@code time} and lucene-core.
 *
 * <p>{@link io.weir.store.DirectoryPlan} puts the layers above the files of an index, in the order
 * of its {@link io.weir.store.DirectoryPlan.Layer}. Each layer is one directory of this package.
 * Its options and figures are beside it, and what it is made of is in a room: {@code writeback},
 * {@code held}, {@code keys}, {@code reads} or {@code kernel}. A room uses no layer.
 *
 * <p>{@link io.weir.store.FileStory} says to all layers what a new file is. {@link
 * io.weir.store.Disk} is what the indexes on one disk share.
 *
 * <p>From the files upwards:
 *
 * <ul>
 *   <li>{@link io.weir.store.SmallFilesDirectory} reads small files into memory instead of mapping
 *       them.
 *   <li>{@link io.weir.store.DeferredUnmapDirectory} unmaps closed files on another thread.
 *   <li>In {@link io.weir.store.MergeReadsDirectory} merges read beside the mappings of searches,
 *       leave them what they have in the page cache, and can pause while they read.
 *   <li>{@link io.weir.store.WritebackDirectory} sends merge output to the disk as it is written.
 *   <li>{@link io.weir.store.FlushedFilesDirectory} keeps the files of flushes in memory until a
 *       commit needs them.
 *   <li>{@link io.weir.store.DeferredSyncDirectory} lets commits sync without the writer's lock.
 *   <li>{@link io.weir.store.RateLimitedDirectory} charges every byte that a merge writes to a
 *       {@link io.weir.rate.ByteBudget} before it is written. A merge scheduler binds a {@link
 *       io.weir.store.MergeLimiter} to a segment's name, which then limits that merge.
 *   <li>{@link io.weir.store.ResidentDirectory} holds the terms dictionaries of primary keys, which
 *       {@link io.weir.store.ResidentKeys} names, in memory.
 *   <li>{@link io.weir.store.PrefetchDirectory} fetches what Lucene will read when it opens a
 *       merged segment.
 * </ul>
 *
 * <p>{@link io.weir.store.ResidentMemory} is the heap of the process for all that is held. {@link
 * io.weir.store.PageCache} reports how much of a file the kernel caches, and drops it; only
 * measuring instruments use it.
 */
package io.weir.store;
