package io.weir.control;

import java.util.List;

/**
 * What a {@link GoalPolicy} decides on: all that was seen in one tick.
 *
 * @param nowNanos when the tick ends
 * @param samples one entry for each target, in their order
 * @param usedBytesPerSecond what the budget granted in the tick
 * @param delayed whether a merge waited for the budget in the tick
 * @param forcedMergesRun whether any of the merges is forced
 * @param keepUpBytesPerSecond the rate that keeps up with indexing
 * @param ceilingBytesPerSecond the highest rate
 * @param stoodStill whether the process may have stood still in the tick
 */
record Sight(
    long nowNanos,
    List<LatencySamples> samples,
    long usedBytesPerSecond,
    boolean delayed,
    boolean forcedMergesRun,
    long keepUpBytesPerSecond,
    long ceilingBytesPerSecond,
    boolean stoodStill) {}
