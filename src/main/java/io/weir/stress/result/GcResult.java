package io.weir.stress.result;

import java.util.List;
import java.util.Optional;

/**
 * Garbage collections of the arm's JVM since the warm-up began, and its pauses.
 *
 * @param collections how many
 * @param seconds their accumulated time, as the collectors report it; for a concurrent collector
 *     (ZGC, Shenandoah) most of it ran beside the application, so it is no waiting time
 * @param collectors their names in the JVM
 * @param pauses by the phase in which they began, empty for a phase that did not happen; empty
 *     where the JVM does not report them
 */
public record GcResult(
    long collections,
    double seconds,
    List<String> collectors,
    Optional<Phases<Optional<GcPauses>>> pauses) {}
