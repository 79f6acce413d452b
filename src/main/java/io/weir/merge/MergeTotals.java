package io.weir.merge;

import static io.weir.figure.Shown.ANSWER;
import static io.weir.figure.Shown.EVENT;
import static io.weir.figure.SourceFigure.known;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.SourceFigure.words;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.NANOS;

import io.weir.figure.SourceFigures;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One merge: the bytes it wrote and the time it waited, so far or in total.
 *
 * @param number the merge's number in the order of starts, from 1
 * @param kind its purpose
 * @param segment the name of the merged segment, once known
 * @param estimatedBytes the size that Lucene expects of the merged segment; empty when unknown
 * @param writtenBytes bytes granted to it, including temporary and compound files
 * @param temporaryBytes the part of those written to temporary files
 * @param compoundBytes the part of those written to the compound file
 * @param pauses of its threads, including those in progress
 * @param elapsed time since it started
 * @param readBytes bytes that it has read from storage; empty unless its budget counts reads
 * @param processorNanos processor time of its threads; empty where the JVM does not measure them
 * @param outcome how it ended, or {@link Outcome#RUNNING}
 */
public record MergeTotals(
    long number,
    MergeKind kind,
    Optional<String> segment,
    OptionalLong estimatedBytes,
    long writtenBytes,
    long temporaryBytes,
    long compoundBytes,
    MergePauses pauses,
    Duration elapsed,
    OptionalLong readBytes,
    OptionalLong processorNanos,
    Outcome outcome) {

  /** What is shown of a merge that runs, or has run. */
  public static final SourceFigures<MergeTotals> FIGURES =
      SourceFigures.of(
          "lucene.merge",
          total("number", COUNT, "Number of the merge in its scheduler", MergeTotals::number)
              .without(ANSWER),
          words(
              "kind",
              "Natural, forced, critical (a reopen or a commit waited for it) or other",
              (MergeTotals merge) -> merge.kind.name().toLowerCase(Locale.ROOT)),
          words(
                  "outcome",
                  "How it ended",
                  (MergeTotals merge) -> merge.outcome.name().toLowerCase(Locale.ROOT))
              .without(ANSWER),
          words("segment", "The merged segment", (MergeTotals merge) -> merge.segment.orElse(null)),
          total(
              "written",
              BYTES,
              "Bytes written, including temporary and compound files",
              MergeTotals::writtenBytes),
          known("read", BYTES, "Bytes read from storage", MergeTotals::readBytes).without(EVENT),
          known(
                  "estimated",
                  BYTES,
                  "Expected size of the merged segment",
                  MergeTotals::estimatedBytes)
              .without(EVENT), // that of its start has it
          total(
                  "pauses",
                  COUNT,
                  "How often one of its threads paused",
                  (MergeTotals merge) -> merge.pauses.count())
              .without(ANSWER),
          total(
              "paused",
              NANOS,
              "Time that its threads waited for the budget or yielded, summed over threads",
              (MergeTotals merge) -> merge.pauses.totalNanos()),
          total(
                  "elapsed",
                  NANOS,
                  "Time since it started",
                  (MergeTotals merge) -> merge.elapsed.toNanos())
              .without(EVENT), // its duration
          known("cpu", NANOS, "Processor time of its threads", MergeTotals::processorNanos));

  /** The outcome of a merge. */
  public enum Outcome {
    /** The merge is in progress. */
    RUNNING,
    /** The merged segment is in the index, unless all of its documents have been deleted since. */
    DONE,
    /** The merge was aborted before it was committed. */
    ABORTED,
    /** The merge threw an exception; Lucene closes the writer. */
    FAILED
  }
}
