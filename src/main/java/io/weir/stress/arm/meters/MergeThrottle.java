package io.weir.stress.arm.meters;

import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.ByteBudget;

/**
 * What paces the merges of an arm with {@code preset=weir}, and counts them. Stock Lucene has none.
 *
 * @param trouble listens to {@code scheduler}
 */
public record MergeThrottle(
    ByteBudget budget, RateLimitedMergeScheduler scheduler, CapWatch trouble) {}
