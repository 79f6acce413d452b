package io.weir.store;

/**
 * The figures of a {@link SmallFilesDirectory} at one moment.
 *
 * @param heldBytes heap of the open small files, and of the segment infos that are kept
 * @param heldFiles number of these files
 * @param readFiles files that were read into memory so far
 * @param refusedFiles small files that the directory below opened, because there was no room
 */
public record SmallFilesSnapshot(
    long heldBytes, long heldFiles, long readFiles, long refusedFiles) {}
