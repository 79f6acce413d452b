package io.weir.store;

import static io.weir.figure.Shown.ANSWER;
import static io.weir.figure.Shown.METER;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.COUNT;

import io.weir.figure.SourceFigures;

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
public record UnmapSnapshot(int pendingFiles, long deferredFiles, long inlineFiles, long failures) {

  /** What is shown of the unmapping of an index's files. */
  public static final SourceFigures<UnmapSnapshot> FIGURES =
      SourceFigures.of(
          "lucene.files.unmap",
          level(
                  "pending",
                  COUNT,
                  "Files that are closed but still mapped, or deleted but not yet freed",
                  UnmapSnapshot::pendingFiles)
              .counting("files")
              .named(ANSWER, "pending_files"),
          total(
                  "deferred.files",
                  COUNT,
                  "Files that were passed to the unmapping thread",
                  UnmapSnapshot::deferredFiles)
              .without(METER),
          total(
                  "inline",
                  COUNT,
                  "Files unmapped by the closing thread because too many were pending",
                  UnmapSnapshot::inlineFiles)
              .counting("files")
              .named(ANSWER, "inline_files"),
          total(
                  "failures",
                  COUNT,
                  "Files that could not be unmapped or freed",
                  UnmapSnapshot::failures)
              .without(METER));
}
