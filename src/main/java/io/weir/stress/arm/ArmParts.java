package io.weir.stress.arm;

import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.ByteBudget;
import java.util.Optional;
import org.apache.lucene.store.Directory;

/**
 * What of an arm can be watched while it runs.
 *
 * @param budget empty with {@code preset=stock}
 * @param scheduler empty with {@code preset=stock}
 * @param directory of the writer
 * @param reopens of its searchers
 */
public record ArmParts(
    Optional<ByteBudget> budget,
    Optional<RateLimitedMergeScheduler> scheduler,
    Directory directory,
    ReopenMonitor reopens) {}
