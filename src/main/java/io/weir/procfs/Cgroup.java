package io.weir.procfs;

import java.util.OptionalLong;

/**
 * The control group of this process.
 *
 * @param version which hierarchies are mounted
 * @param memoryLimitBytes the tightest limit of the group and of those above it that can be seen;
 *     absent when there is none, or none to be seen
 */
public record Cgroup(CgroupVersion version, OptionalLong memoryLimitBytes) {}
