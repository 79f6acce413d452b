package io.weir.store;

/**
 * The figures of a {@link DeferredUnmapDirectory} so far. All except {@code pendingFiles} only
 * grow.
 *
 * @param pendingFiles files that are closed but still mapped, or deleted but not yet freed
 * @param deferredFiles files that were passed to the unmapping thread
 * @param inlineFiles files that the closing thread unmapped itself, because the queue was full or
 *     had no thread
 * @param failures files that could not be unmapped or freed
 */
public record UnmapSnapshot(
    int pendingFiles, long deferredFiles, long inlineFiles, long failures) {}
