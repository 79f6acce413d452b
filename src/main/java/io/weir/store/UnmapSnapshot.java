package io.weir.store;

/**
 * What a {@link DeferredUnmapDirectory} has done so far. All but {@code pendingFiles} only grow.
 *
 * @param pendingFiles files that were closed and are still mapped
 * @param deferredFiles files that were handed to the thread that unmaps
 * @param inlineFiles files that were unmapped by the thread that closed them, because the queue was
 *     full or had no thread
 * @param failures files that could not be unmapped
 */
public record UnmapSnapshot(
    int pendingFiles, long deferredFiles, long inlineFiles, long failures) {}
