package io.weir.nrt;

import java.util.OptionalLong;

/**
 * What a monitor has seen so far. The counts only grow.
 *
 * @param changed reopens that made a new searcher visible
 * @param unchanged reopens that found nothing new
 * @param failed reopens that threw
 * @param skipped calls that found another thread reopening
 * @param unclear reopens of which the monitor could not tell whether they failed
 * @param totalNanos time in reopens, the skipped ones not included
 * @param lastNanos how long the last reopen took; empty before the first
 * @param maxNanos how long the longest took; empty before the first
 * @param stalenessNanos since the last good reopen began to look at the index; before the first
 *     one, since the monitor was attached, which is the least it can be
 * @param freshnessSamples documents whose way to the searcher was timed
 * @param freshnessLost documents of the sample that were not timed, because too many were waiting
 * @param lastFreshnessNanos of the last timed document
 * @param maxFreshnessNanos of the slowest timed document
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
    long freshnessSamples,
    long freshnessLost,
    OptionalLong lastFreshnessNanos,
    OptionalLong maxFreshnessNanos) {}
