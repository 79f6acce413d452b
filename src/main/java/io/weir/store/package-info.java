/**
 * The write path of a directory: ring 2, uses {@code lucene}, {@code rate}, {@code time} and
 * lucene-core.
 *
 * <p>{@link io.weir.store.RateLimitedDirectory} charges every byte that a merge writes to a {@link
 * io.weir.rate.ByteBudget} before it is written. {@link io.weir.store.MergeWrites} decides which
 * writes those are; {@link io.weir.store.RateLimitedIndexOutput} charges them. A merge scheduler
 * binds a {@link io.weir.store.MergeLimiter} to a segment's name, which then limits that merge.
 *
 * <p>{@link io.weir.store.WritebackDirectory} is below that and sends merge output to the disk as
 * it is written. {@link io.weir.store.writeback.WritebackMedium} chooses the method, {@link
 * io.weir.store.writeback.FileWriteback} the time. {@link io.weir.store.writeback.LostMerges} ends
 * merges that lost a write, and {@link io.weir.store.writeback.UnsyncedFiles} remembers failed
 * syncs. {@link io.weir.store.kernel.LinuxCalls} is the interface to the kernel.
 *
 * <p>{@link io.weir.store.DeferredSyncDirectory} lets commits sync without the writer's lock;
 * {@link io.weir.store.Disk.FinishingCommits} are those for whose last sync merges on the same
 * {@link io.weir.store.Disk} pause.
 *
 * <p>{@link io.weir.store.SmallFilesDirectory} is right above the files and reads small ones into
 * memory instead of mapping them. {@link io.weir.store.SmallFilesDirectory.MappedPath} finds their
 * path, {@link io.weir.store.held.HeapIndexInput} is such a file.
 *
 * <p>In {@link io.weir.store.MergeReadsDirectory} merges read ahead, and can pause while they
 * verify their input: {@link io.weir.store.reads.MergeReadInput} is what they read, {@link
 * io.weir.store.reads.ReadAhead.OfFile} reads ahead, {@link io.weir.store.reads.MergeReadPacing}
 * pauses them.
 *
 * <p>{@link io.weir.store.PrefetchDirectory} is above all others and fetches what Lucene will read
 * when it opens a merged segment. {@link io.weir.store.SegmentInfoOutput} detects that a segment is
 * complete.
 *
 * <p>{@link io.weir.store.ResidentKeys} names the primary-key fields. Its codec writes their terms
 * dictionaries to separate files, and {@link io.weir.store.ResidentDirectory} holds these in
 * memory. {@link io.weir.store.keys.KeyFiles} decides which files, {@link
 * io.weir.store.keys.ResidentDictionary} is an open one, and {@link
 * io.weir.store.keys.DictionaryCopy} its loading. {@link io.weir.store.keys.DictionaryMemory}
 * limits and counts an index's memory, {@link io.weir.store.keys.DictionaryLoader} has the threads
 * of the process, and in a {@link io.weir.store.keys.WaitingRoom} dictionaries wait for room.
 *
 * <p>{@link io.weir.store.ResidentMemory} is the heap of the process for key dictionaries and small
 * files; {@link io.weir.store.held.HeapHeadroom} decides what the application can spare.
 *
 * <p>{@link io.weir.store.PageCache} reports how much of a file the kernel caches, and drops it;
 * only measuring instruments use it.
 */
package io.weir.store;
