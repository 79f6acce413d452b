package io.weir.procfs;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The page cache of this process's control group and of its children: their dirty pages, those that
 * they lost and read again, and how long they stalled on disks.
 *
 * @param dirtyBytes written to files but not yet being written to disk; in v1 since Linux 4.2, in
 *     v2 with the memory controller
 * @param writebackBytes being written to disk now
 * @param refaultedBytes read again after the kernel had evicted them, as {@link
 *     VmStat#refaultedBytes}; in v2 since Linux 4.13
 * @param ioPressure its stalls on input and output; v2 only
 */
public record CgroupStat(
    OptionalLong dirtyBytes,
    OptionalLong writebackBytes,
    OptionalLong refaultedBytes,
    Optional<Pressure> ioPressure) {}
