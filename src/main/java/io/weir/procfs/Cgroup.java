package io.weir.procfs;

import java.util.OptionalLong;

/**
 * The control group of this process.
 *
 * @param version which hierarchies are mounted
 * @param memoryLimitBytes the lowest limit of the group and of its visible ancestors; absent when
 *     no limit is visible
 */
public record Cgroup(CgroupVersion version, OptionalLong memoryLimitBytes) {}
