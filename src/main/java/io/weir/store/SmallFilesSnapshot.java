package io.weir.store;

/**
 * What a {@link SmallFilesDirectory} holds, and what it did so far.
 *
 * @param heldBytes heap that files which are open now take
 * @param heldFiles how many those are
 * @param readFiles files that were read into memory when they were opened
 * @param refusedFiles small files that were opened by the directory below, because there was no
 *     room for them
 */
public record SmallFilesSnapshot(
    long heldBytes, long heldFiles, long readFiles, long refusedFiles) {}
