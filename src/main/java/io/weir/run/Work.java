package io.weir.run;

/**
 * The figures of one kind of work at a rate that was asked for: searches, updates or commits.
 *
 * @param asked the requested rate; of a changing one, the mean in the phase
 * @param achieved what was done, by finish time
 * @param latency from the intended start
 * @param service from the real start
 */
public record Work(
    FigureBy<Phase, Double> asked,
    FigureBy<Phase, Double> achieved,
    FigureBy<Phase, LatencySummary> latency,
    FigureBy<Phase, LatencySummary> service) {}
