package io.weir.nrt;

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
    long freshnessSamples,
    long freshnessLost,
    OptionalLong lastFreshnessNanos,
    OptionalLong maxFreshnessNanos) {}
