package io.weir.store;

import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.Unit.BYTES;

import io.weir.figure.SourceFigures;

/**
 * The figures of a {@link SmallFilesDirectory} at one moment.
 *
 * @param heldBytes heap of the open small files, and of the segment infos that are kept
 * @param heldFiles number of these files
 * @param readFiles files that were read into memory so far
 * @param refusedFiles small files that the directory below opened, because there was no room
 */
public record SmallFilesSnapshot(
    long heldBytes, long heldFiles, long readFiles, long refusedFiles) {

  /** What is shown of the small files of an index. */
  public static final SourceFigures<SmallFilesSnapshot> FIGURES =
      SourceFigures.of(
          "lucene.files.small",
          level(
              "held",
              BYTES,
              "Small files held in memory instead of mapped",
              SmallFilesSnapshot::heldBytes));
}
