package io.weir.procfs;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the control group of this process, and those below it, have in the page cache and how long
 * they stood still for disks.
 *
 * @param dirtyBytes written to files and not yet on its way to disk; since Linux 4.2 in v1, with
 *     the memory controller in v2
 * @param writebackBytes on its way to disk right now
 * @param ioPressure its stalls on input and output; only of v2
 */
public record CgroupStat(
    OptionalLong dirtyBytes, OptionalLong writebackBytes, Optional<Pressure> ioPressure) {}
