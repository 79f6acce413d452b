package io.weir.stress.result;

/**
 * One kind of work at a rate that was asked for (searches, updates, commits), in one phase.
 *
 * @param askedPerSecond the requested rate; of a changing one, the mean in the phase
 * @param achievedPerSecond what was done, by finish time
 * @param latency from the intended start
 * @param service from the real start
 */
public record LoadResult(
    double askedPerSecond,
    double achievedPerSecond,
    LatencySummary latency,
    LatencySummary service) {}
