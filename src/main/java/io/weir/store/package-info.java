/**
 * The write path of a directory: ring 2, uses {@code lucene}, {@code rate}, {@code time} and
 * lucene-core.
 *
 * <p>{@link io.weir.store.RateLimitedDirectory} charges every byte a merge writes to a {@link
 * io.weir.rate.ByteBudget} before the byte passes; {@link io.weir.store.MergeWrites} is the one
 * decision which writes those are; {@link io.weir.store.RateLimitedIndexOutput} does the charging.
 * {@link io.weir.store.MergeLimiter} is the seam for a merge scheduler: bound to a segment's name, it
 * says who pays for that merge and how the merge waits.
 *
 * <p>{@link io.weir.store.WritebackDirectory} stands below that and has the kernel write merge
 * output as it comes: {@link io.weir.store.WritebackMedium} finds out how, {@link
 * io.weir.store.FileWriteback} says when, {@link io.weir.store.LostMerges} what becomes of a merge
 * that lost a write, {@link io.weir.store.UnsyncedFiles} remembers failed syncs, {@link
 * io.weir.store.LinuxCalls} is the seam to the kernel.
 *
 * <p>{@link io.weir.store.SmallFilesDirectory} stands right above the files and reads small ones
 * into memory where they would be mapped: {@link io.weir.store.MappedPath} says where that is,
 * {@link io.weir.store.HeapIndexInput} is such a file.
 *
 * <p>In {@link io.weir.store.MergeReadsDirectory} merges read ahead, and can be held up while they
 * verify: {@link io.weir.store.MergeReadInput} is what they read, {@link
 * io.weir.store.FileReadAhead} reads ahead, {@link io.weir.store.MergeReadPacing} holds them up.
 *
 * <p>{@link io.weir.store.PrefetchDirectory} stands above all others and fetches what opening a
 * merged segment will read. {@link io.weir.store.SegmentInfoOutput} tells that one has been
 * written.
 *
 * <p>{@link io.weir.store.ResidentKeys} says which fields are primary keys; its codec writes their
 * terms dictionaries to files of their own, and {@link io.weir.store.ResidentDirectory} holds these
 * in memory. {@link io.weir.store.KeyFiles} says which they are, {@link
 * io.weir.store.ResidentDictionary} is one while it is open, {@link io.weir.store.DictionaryLoader}
 * reads in those that wait, {@link io.weir.store.DictionaryMemory} counts what an index holds.
 *
 * <p>{@link io.weir.store.ResidentMemory} is the heap that the process spends on all that, and on
 * small files; {@link io.weir.store.HeapHeadroom} says what the application can spare.
 *
 * <p>{@link io.weir.store.PageCache} tells how much of a file the kernel holds, and has it let go;
 * an instrument wants that, no directory does.
 */
package io.weir.store;
