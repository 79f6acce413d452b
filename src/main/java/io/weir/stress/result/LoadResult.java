package io.weir.stress.result;

/**
 * One kind of work under a steady rate (searches, updates, commits) in one phase.
 *
 * @param askedPerSecond the requested rate
 * @param achievedPerSecond what was done, by finish time
 * @param latency from the intended start
 * @param service from the real start
 */
public record LoadResult(
    double askedPerSecond,
    double achievedPerSecond,
    LatencySummary latency,
    LatencySummary service) {}
