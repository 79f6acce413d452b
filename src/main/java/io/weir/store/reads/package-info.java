/**
 * How merges read, and how files are unmapped: a room of {@code store}, which uses {@code kernel}
 * and {@code pages}. {@link io.weir.store.MergeReadsDirectory} and {@link
 * io.weir.store.DeferredUnmapDirectory} are the layers above it.
 *
 * <p>{@link io.weir.store.reads.MergeReadInput} is what merges read of a {@link
 * io.weir.store.reads.MergedFile}, {@link io.weir.store.reads.BlockChecksums} lets them verify it
 * as they read it, {@link io.weir.store.reads.OrdinaryReads} reads the file, and {@link
 * io.weir.store.reads.MergeReadPacing} pauses them while they read; a merge scheduler sets it.
 * {@link io.weir.store.reads.UnmapQueue} unmaps closed files on threads of its own.
 */
package io.weir.store.reads;
