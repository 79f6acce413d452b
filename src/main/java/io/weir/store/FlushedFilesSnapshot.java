package io.weir.store;

import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;

import io.weir.figure.SourceFigures;

/**
 * The figures of a {@link FlushedFilesDirectory} at one moment.
 *
 * @param heldBytes heap of the files that are held, and of those that readers still have open
 * @param heldFiles number of files that are not on the disk
 * @param writtenFiles files that a commit or a rename wrote to the disk
 * @param spilledFiles files that went to the disk while they were written, because they became too
 *     long or there was no room
 * @param unwrittenFiles files that were deleted before they were ever on the disk
 */
public record FlushedFilesSnapshot(
    long heldBytes, long heldFiles, long writtenFiles, long spilledFiles, long unwrittenFiles) {

  /** What is shown of the flushed files of an index. */
  public static final SourceFigures<FlushedFilesSnapshot> FIGURES =
      SourceFigures.of(
          "lucene.files.flushed",
          level(
              "held",
              BYTES,
              "Flushed files held in memory until a commit or their deletion",
              FlushedFilesSnapshot::heldBytes),
          total(
                  "unwritten",
                  COUNT,
                  "Flushed files that were deleted before they were ever on the disk",
                  FlushedFilesSnapshot::unwrittenFiles)
              .counting("files"));
}
