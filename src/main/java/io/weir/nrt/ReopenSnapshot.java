package io.weir.nrt;

import static io.weir.figure.Shown.ANSWER;
import static io.weir.figure.Shown.BEAN;
import static io.weir.figure.Shown.METER;
import static io.weir.figure.SourceFigure.measure;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.MILLIS;

import io.weir.figure.SourceFigures;
import java.util.OptionalLong;

/**
 * The figures of a monitor so far. Counts only grow.
 *
 * @param changed reopens that made a new searcher visible
 * @param unchanged reopens that found nothing new
 * @param failed reopens that threw
 * @param skipped calls that found another thread reopening
 * @param unclear reopens that may or may not have failed
 * @param totalNanos time spent in reopens, except skipped ones
 * @param lastNanos duration of the last reopen; empty before the first
 * @param maxNanos duration of the longest reopen; empty before the first
 * @param stalenessNanos time since the last good reopen began; before the first one, since the
 *     monitor was attached, which is a lower bound
 * @param lastVisibleNanos how long the document waited that waited longest of those that the last
 *     reopen made visible, from when the application had it; empty unless it reports what it
 *     indexes
 * @param maxVisibleNanos the longest of these waits
 * @param freshnessSamples sampled documents whose freshness was measured
 * @param freshnessLost sampled documents that were not measured, because too many were waiting
 * @param lastFreshnessNanos freshness of the last measured document
 * @param maxFreshnessNanos freshness of the slowest measured document
 */
public record ReopenSnapshot(
    long changed,
    long unchanged,
    long failed,
    long skipped,
    long unclear,
    long totalNanos,
    OptionalLong lastNanos,
    OptionalLong maxNanos,
    long stalenessNanos,
    OptionalLong lastVisibleNanos,
    OptionalLong maxVisibleNanos,
    long freshnessSamples,
    long freshnessLost,
    OptionalLong lastFreshnessNanos,
    OptionalLong maxFreshnessNanos) {

  /** What is shown of the reopens of an index. */
  public static final SourceFigures<ReopenSnapshot> FIGURES =
      SourceFigures.of(
          "lucene.refresh",
          total(
                  "changed",
                  COUNT,
                  "Reopens that made a new searcher visible",
                  ReopenSnapshot::changed)
              .without(METER), // as the next two, a timer by result
          total("unchanged", COUNT, "Reopens that found nothing new", ReopenSnapshot::unchanged)
              .without(METER),
          total("failed", COUNT, "Reopens that failed", ReopenSnapshot::failed).without(METER),
          total(
                  "skipped",
                  COUNT,
                  "Reopens that did not begin because another one was in progress",
                  ReopenSnapshot::skipped)
              .counting("reopens")
              .only(METER),
          total(
                  "unclear",
                  COUNT,
                  "Reopens that may or may not have failed",
                  ReopenSnapshot::unclear)
              .only(ANSWER),
          measure(
                  "total",
                  MILLIS,
                  "Time spent in reopens",
                  (ReopenSnapshot all) -> millis(all.totalNanos))
              .only(BEAN),
          measure(
                  "last",
                  MILLIS,
                  "Duration of the last reopen",
                  (ReopenSnapshot all) -> millis(all.lastNanos))
              .only(BEAN),
          measure(
                  "max",
                  MILLIS,
                  "Duration of the longest reopen",
                  (ReopenSnapshot all) -> millis(all.maxNanos))
              .only(BEAN, ANSWER),
          measure(
                  "staleness",
                  MILLIS,
                  "Time since the last good reopen began",
                  (ReopenSnapshot all) -> millis(all.stalenessNanos))
              .only(METER, BEAN),
          measure(
                  "last.visible",
                  MILLIS,
                  "Longest wait of a document that the last reopen made visible",
                  (ReopenSnapshot all) -> millis(all.lastVisibleNanos))
              .only(BEAN),
          measure(
                  "max.visible",
                  MILLIS,
                  "Longest wait of a document until it was visible",
                  (ReopenSnapshot all) -> millis(all.maxVisibleNanos))
              .only(BEAN, ANSWER));

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  private static double millis(OptionalLong nanos) {
    return nanos.isPresent() ? millis(nanos.getAsLong()) : Double.NaN;
  }
}
