package io.weir.stress.arm;

import io.weir.control.LatencyGoal;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.ByteBudget;
import java.util.Optional;
import org.apache.lucene.store.Directory;

/**
 * The parts of an arm that can be observed while it runs.
 *
 * @param budget empty with {@code preset=stock}
 * @param scheduler empty with {@code preset=stock}
 * @param directory the writer's
 * @param reopens monitors the reopens of its searcher
 * @param goal sets the rate of the budget; empty if the arm has none
 */
public record ArmParts(
    Optional<ByteBudget> budget,
    Optional<RateLimitedMergeScheduler> scheduler,
    Directory directory,
    ReopenMonitor reopens,
    Optional<LatencyGoal> goal) {}
