package io.weir.store;

import static io.weir.figure.Shown.ANSWER;
import static io.weir.figure.Shown.METER;
import static io.weir.figure.Shown.RUN;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.NANOS;

import io.weir.figure.SourceFigures;

/**
 * The figures of a {@link WritebackDirectory} at one moment. All except {@code inFlightRanges} and
 * {@code lostFiles} only grow.
 *
 * @param startedRanges ranges whose write was started; with {@link WritebackMethod#FDATASYNC},
 *     ranges whose wait was started
 * @param inFlightRanges started ranges of open files that were not waited for yet
 * @param startedBytes bytes in the ranges started
 * @param waitNanos time that writing threads spent in these calls, summed over threads
 * @param faults files whose smoothing ended early because a call failed
 * @param droppedBytes bytes dropped from the page cache after they reached the disk
 * @param lostWrites files of merges and copies that were abandoned because the kernel reported a
 *     lost part; included in the faults
 * @param lostFiles existing files whose sync has failed; {@code Directory.sync} continues to fail
 *     for each of them
 */
public record WritebackSnapshot(
    long startedRanges,
    long inFlightRanges,
    long startedBytes,
    long waitNanos,
    long faults,
    long droppedBytes,
    long lostWrites,
    int lostFiles) {

  /** What is shown of the writeback of an index. */
  public static final SourceFigures<WritebackSnapshot> FIGURES =
      SourceFigures.of(
          "lucene.writeback",
          total(
                  "ranges",
                  COUNT,
                  "Ranges of merge output whose write was started",
                  WritebackSnapshot::startedRanges)
              .without(METER, ANSWER),
          level(
                  "inflight",
                  COUNT,
                  "Ranges of merge output being written to the disk",
                  WritebackSnapshot::inFlightRanges)
              .counting("ranges")
              .without(ANSWER),
          total(
                  "started",
                  BYTES,
                  "Bytes of merge output whose writeback was started early",
                  WritebackSnapshot::startedBytes)
              .named(RUN, "bytes"),
          total(
                  "wait",
                  NANOS,
                  "Time that merges waited for this writeback",
                  WritebackSnapshot::waitNanos)
              .named(RUN, "waitedSeconds"),
          total(
                  "dropped",
                  BYTES,
                  "Bytes of merge output dropped from the page cache after they reached the disk",
                  WritebackSnapshot::droppedBytes)
              .without(ANSWER, RUN),
          total(
                  "faults",
                  COUNT,
                  "Files whose writeback was not smoothed to the end because a call failed",
                  WritebackSnapshot::faults)
              .counting("files"),
          total(
                  "lost.writes",
                  COUNT,
                  "Files of merges that were abandoned because the kernel reported a lost part",
                  WritebackSnapshot::lostWrites)
              .without(METER, RUN),
          level(
                  "lost",
                  COUNT,
                  "Files that may be incomplete on the disk; syncing them fails",
                  WritebackSnapshot::lostFiles)
              .counting("files")
              .without(ANSWER));
}
