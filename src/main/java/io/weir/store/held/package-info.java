/**
 * Files on the heap, and the heap for them: a room of {@code store}, which uses no other. {@link
 * io.weir.store.SmallFilesDirectory} and {@link io.weir.store.FlushedFilesDirectory} are the layers
 * above it; the room {@code keys} uses it too.
 *
 * <p>{@link io.weir.store.held.ProcessMemory} is the heap of the process for one kind of files;
 * {@link io.weir.store.held.HeapHeadroom} decides what the application can spare. {@link
 * io.weir.store.held.HeapIndexInput} is a file on the heap. {@link io.weir.store.held.FlushedFile}
 * is one that is on no disk yet, and {@link io.weir.store.held.HeldSegmentInfos} are those that
 * engines read at each commit.
 */
package io.weir.store.held;
