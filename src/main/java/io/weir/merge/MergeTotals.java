package io.weir.merge;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One merge: what it has written and waited so far, or in the end.
 *
 * @param number of the merges of its scheduler, in the order in which they began, from 1
 * @param kind what it is for
 * @param segment the name of the merged segment, once it is known
 * @param estimatedBytes what Lucene expects the merged segment to take; empty when it does not say
 * @param writtenBytes all that was granted to it, temporary and compound files included
 * @param temporaryBytes of those, what went to temporary files
 * @param compoundBytes of those, what went to the compound file
 * @param pauses how often one of its threads waited for the budget, or stood aside
 * @param pausedNanos how long, added over its threads, waits going on now included
 * @param elapsed since it started
 * @param outcome how it ended, if it has
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
    Outcome outcome) {

  /** How a merge ended. */
  public enum Outcome {
    /** It has not. */
    RUNNING,
    /** The merged segment is in the index, unless all of its documents were deleted meanwhile. */
    DONE,
    /** It was called off before it was done. */
    ABORTED,
    /** It threw; the writer is closed by Lucene. */
    FAILED
  }
}
