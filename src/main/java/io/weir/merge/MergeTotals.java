package io.weir.merge;

import java.time.Duration;
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
 * @param pauses how often one of its threads waited for the budget or yielded
 * @param pausedNanos duration of the pauses, summed over its threads, including those in progress
 * @param elapsed time since it started
 * @param readBytes bytes that it has read from storage; empty unless its budget counts reads
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
    long pauses,
    long pausedNanos,
    Duration elapsed,
    OptionalLong readBytes,
    Outcome outcome) {

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
