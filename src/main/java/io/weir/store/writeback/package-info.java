/**
 * How merge output is sent to the disk while it is written, and what becomes of a write or a sync
 * that failed: a room of {@code store}, which uses {@code kernel}. {@link
 * io.weir.store.WritebackDirectory} is the layer above it.
 *
 * <p>{@link io.weir.store.writeback.WritebackMedium} chooses the method, {@link
 * io.weir.store.writeback.FileWriteback} the time. {@link io.weir.store.writeback.LostMerges} ends
 * merges that lost a write, and {@link io.weir.store.writeback.UnsyncedFiles} remembers failed
 * syncs.
 */
package io.weir.store.writeback;
