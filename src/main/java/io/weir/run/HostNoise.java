package io.weir.run;

import java.util.Optional;

/**
 * What others did on the machine in a period. A figure that the kernel does not report is empty.
 *
 * @param seconds how long the period was
 * @param stealPercent the processor time that a hypervisor gave to other machines
 * @param ioPressurePercent the time in which some task of the machine waited for a disk, tasks of
 *     this run included
 * @param foreignDirtiedBytes pages that became dirty without a write by the measuring process; this
 *     includes the kernel's own, such as those of a file system's journal
 */
public record HostNoise(
    double seconds,
    Optional<Double> stealPercent,
    Optional<Double> ioPressurePercent,
    Optional<Long> foreignDirtiedBytes) {}
