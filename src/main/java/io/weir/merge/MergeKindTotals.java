package io.weir.merge;

import static io.weir.figure.Shown.BEAN;
import static io.weir.figure.Shown.METER;
import static io.weir.figure.Shown.RUN;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.NANOS;

import io.weir.figure.SourceFigures;
import java.util.Objects;

/**
 * All merges of one kind since the scheduler or tracker was created. All figures except {@code
 * running} and {@code graphBytes} only grow.
 *
 * @param running merges in progress
 * @param done merges that finished
 * @param aborted merges that were aborted
 * @param failed merges that threw
 * @param writtenBytes bytes granted to them, including running merges
 * @param temporaryBytes the part of those written to temporary files
 * @param compoundBytes the part of those written to compound files
 * @param pauses of their threads, with the duration of those that have ended; none for {@link
 *     MergeKind#CRITICAL}
 * @param processorNanos processor time of their threads, including running merges; 0 where the JVM
 *     does not measure threads
 * @param starved how often one of their threads left the idle class because it never ran there
 * @param graphBytes heap that vector graphs of running merges take, as predicted
 * @param graphWaits how often one of them waited for room on the heap before it built a graph
 * @param graphWaitNanos how long these waits were, including those in progress
 */
public record MergeKindTotals(
    long running,
    long done,
    long aborted,
    long failed,
    long writtenBytes,
    long temporaryBytes,
    long compoundBytes,
    MergePauses pauses,
    long processorNanos,
    long starved,
    long graphBytes,
    long graphWaits,
    long graphWaitNanos) {

  /** What is shown of them, for each kind. */
  public static final SourceFigures<MergeKindTotals> FIGURES =
      SourceFigures.of(
              "lucene.merge",
              level("running", COUNT, "Merges in progress", MergeKindTotals::running)
                  .without(METER, BEAN), // a timer and a list have them
              total("done", COUNT, "Merges that finished", MergeKindTotals::done)
                  .without(METER, RUN),
              total("aborted", COUNT, "Merges that were aborted", MergeKindTotals::aborted)
                  .without(METER, RUN), // as the others, a timer by outcome
              total("failed", COUNT, "Merges that failed", MergeKindTotals::failed)
                  .without(METER, RUN),
              total(
                      "written",
                      BYTES,
                      "Bytes that merges wrote, including temporary and compound files",
                      MergeKindTotals::writtenBytes)
                  .named(RUN, "bytes"),
              total(
                      "pauses",
                      COUNT,
                      "Pauses of merges, for the budget or for readers",
                      (MergeKindTotals merges) -> merges.pauses.count())
                  .without(METER, BEAN), // a timer counts them
              total(
                      "paused",
                      NANOS,
                      "Time that merges waited for a cap or for readers, summed over threads",
                      (MergeKindTotals merges) -> merges.pauses.totalNanos())
                  .without(METER), // a timer sums it
              total(
                  "cpu",
                  NANOS,
                  "Processor time of the threads of merges",
                  MergeKindTotals::processorNanos),
              total(
                      "starved",
                      COUNT,
                      "Times that the idle class left a merge no processor",
                      MergeKindTotals::starved)
                  .counting("times"),
              level(
                  "graph.held",
                  BYTES,
                  "Heap that vector graphs of running merges take, as predicted",
                  MergeKindTotals::graphBytes),
              total(
                  "graph.waits",
                  COUNT,
                  "Times that a merge waited for room on the heap before a vector graph",
                  MergeKindTotals::graphWaits),
              total(
                  "graph.waited",
                  NANOS,
                  "Time that merges waited for room on the heap before a vector graph",
                  MergeKindTotals::graphWaitNanos))
          .by("kind");

  /** Refuses nulls. */
  public MergeKindTotals {
    Objects.requireNonNull(pauses, "pauses");
  }

  /** Merges that ended in any way. */
  public long ended() {
    return done + aborted + failed;
  }

  /** These and {@code other} together. */
  public MergeKindTotals plus(MergeKindTotals other) {
    Objects.requireNonNull(other, "other");
    return new MergeKindTotals(
        running + other.running,
        done + other.done,
        aborted + other.aborted,
        failed + other.failed,
        writtenBytes + other.writtenBytes,
        temporaryBytes + other.temporaryBytes,
        compoundBytes + other.compoundBytes,
        pauses.plus(other.pauses),
        processorNanos + other.processorNanos,
        starved + other.starved,
        graphBytes + other.graphBytes,
        graphWaits + other.graphWaits,
        graphWaitNanos + other.graphWaitNanos);
  }
}
