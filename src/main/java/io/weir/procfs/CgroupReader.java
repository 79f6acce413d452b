package io.weir.procfs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Finds the control group of this process, its limits, and its page-cache and pressure figures.
 *
 * <p>{@code /proc/self/cgroup} gives the position of the process in each hierarchy; {@code
 * mountinfo} says where each hierarchy is mounted. In v1 the kernel reports the effective limit
 * including all ancestors ({@code hierarchical_memory_limit} in {@code memory.stat}), even those
 * hidden from a container. In v2 this class reads the limit of each visible ancestor. (Kernel
 * documentation: admin-guide/cgroup-v1/memory, admin-guide/cgroup-v2.)
 */
final class CgroupReader {

  /** v1 writes "no limit" as the largest multiple of the page size; no machine has 4 EiB. */
  private static final long NO_LIMIT_BYTES = 1L << 62;

  private static final String MEMORY = "memory";
  private static final String CPU = "cpu";

  private final Function<String, Optional<String>> files;

  /**
   * @param files returns the text of the file at an absolute path
   */
  CgroupReader(Function<String, Optional<String>> files) {
    this.files = files;
  }

  Cgroup read(String selfCgroup, List<Mount> mounts) {
    Optional<Mount> v1Memory = v1(mounts, MEMORY);
    Optional<Mount> v2 = v2(mounts);
    boolean v1 = mounts.stream().anyMatch(mount -> mount.fileSystemType().equals("cgroup"));
    OptionalLong limitBytes = OptionalLong.empty();
    if (v1Memory.isPresent()) {
      limitBytes = v1Limit(v1Memory.get(), path(selfCgroup, MEMORY));
    } else if (v2.isPresent()) {
      limitBytes = v2Limit(v2.get(), path(selfCgroup, ""));
    }
    return new Cgroup(version(v1, v2.isPresent()), limitBytes);
  }

  /**
   * In v1 the sums over child groups have keys of their own; in v2 all figures are such sums. The
   * kernel counts pages that were read again, and bytes of all else.
   */
  CgroupStat stat(String selfCgroup, List<Mount> mounts, OptionalLong pageSizeBytes) {
    Optional<Mount> v1Memory = v1(mounts, MEMORY);
    Optional<String> v2 = v2(mounts).map(mount -> directory(mount, path(selfCgroup, "")));
    Optional<KeyedNumbers> memory =
        v1Memory
            .map(mount -> directory(mount, path(selfCgroup, MEMORY)))
            .or(() -> v2)
            .flatMap(directory -> files.apply(directory + "/memory.stat"))
            .map(KeyedNumbers::new);
    boolean v1 = v1Memory.isPresent();
    String sum = v1 ? "total_" : "";
    return new CgroupStat(
        number(memory, v1 ? "total_dirty" : "file_dirty"),
        number(memory, v1 ? "total_writeback" : "file_writeback"),
        KeyedNumbers.times(
            number(memory, sum + VmStat.REFAULTED, sum + VmStat.REFAULTED_BEFORE_5_9),
            pageSizeBytes),
        v2.flatMap(directory -> files.apply(directory + "/io.pressure")).map(Pressure::parse));
  }

  /**
   * The limits of the group and of its visible ancestors on one disk; version 2 only.
   *
   * @param deviceNumber {@code major:minor} of the whole disk
   */
  IoLimit ioLimit(String selfCgroup, List<Mount> mounts, String deviceNumber) {
    IoLimit limit = IoLimit.NONE;
    Optional<Mount> mount = v2(mounts);
    if (mount.isPresent()) {
      for (String directory : upwards(mount.get(), path(selfCgroup, ""))) {
        String items =
            files
                .apply(directory + "/io.max")
                .map(text -> new KeyedNumbers(text).value(deviceNumber))
                .orElse("");
        limit = limit.and(IoLimit.parse(items));
      }
    }
    return limit;
  }

  /** As {@link Procfs#cpuPeriods}. */
  List<CpuPeriods> cpuPeriods(String selfCgroup, List<Mount> mounts) {
    Optional<Mount> v1 = v1(mounts, CPU);
    Optional<Mount> mount = v1.or(() -> v2(mounts));
    if (mount.isEmpty()) {
      return List.of();
    }
    return upwards(mount.get(), path(selfCgroup, v1.isPresent() ? CPU : "")).stream()
        .flatMap(directory -> files.apply(directory + "/cpu.stat").stream())
        .map(KeyedNumbers::new)
        .filter(stat -> stat.number("nr_periods").isPresent())
        .map(
            stat ->
                new CpuPeriods(
                    stat.number("nr_periods").getAsLong(), stat.number("nr_throttled").orElse(0)))
        .toList();
  }

  private static OptionalLong number(Optional<KeyedNumbers> lines, String... keys) {
    return lines.map(found -> found.numberOfAny(keys)).orElse(OptionalLong.empty());
  }

  private static Optional<Mount> v1(List<Mount> mounts, String controller) {
    return mounts.stream()
        .filter(mount -> mount.fileSystemType().equals("cgroup"))
        .filter(mount -> mount.superOptions().contains(controller))
        .findFirst();
  }

  private static Optional<Mount> v2(List<Mount> mounts) {
    return mounts.stream().filter(mount -> mount.fileSystemType().equals("cgroup2")).findFirst();
  }

  private static CgroupVersion version(boolean v1, boolean v2) {
    if (v1) {
      return v2 ? CgroupVersion.HYBRID : CgroupVersion.V1;
    }
    return v2 ? CgroupVersion.V2 : CgroupVersion.NONE;
  }

  private OptionalLong v1Limit(Mount mount, String path) {
    String directory = directory(mount, path);
    OptionalLong limit =
        files
            .apply(directory + "/memory.stat")
            .map(text -> new KeyedNumbers(text).number("hierarchical_memory_limit"))
            .orElse(OptionalLong.empty());
    return finite(limit.isPresent() ? limit : number(directory + "/memory.limit_in_bytes"));
  }

  private OptionalLong v2Limit(Mount mount, String path) {
    OptionalLong tightest = OptionalLong.empty();
    for (String directory : upwards(mount, path)) {
      OptionalLong limit = finite(number(directory + "/memory.max"));
      if (limit.isPresent() && (tightest.isEmpty() || limit.getAsLong() < tightest.getAsLong())) {
        tightest = limit;
      }
    }
    return tightest;
  }

  /** The directories of the group and of its visible ancestors. */
  private static List<String> upwards(Mount mount, String path) {
    List<String> directories = new ArrayList<>();
    String directory = directory(mount, path);
    while (Mount.isAtOrBelow(mount.mountPoint(), directory)) {
      directories.add(directory);
      directory = directory.substring(0, Math.max(0, directory.lastIndexOf('/')));
    }
    return directories;
  }

  /** Text such as {@code max} is not a number, and means that there is no limit. */
  private OptionalLong number(String file) {
    return files
        .apply(file)
        .map(text -> KeyedNumbers.parse(text.strip()))
        .orElse(OptionalLong.empty());
  }

  private static OptionalLong finite(OptionalLong limitBytes) {
    return limitBytes.isPresent() && limitBytes.getAsLong() < NO_LIMIT_BYTES
        ? limitBytes
        : OptionalLong.empty();
  }

  /**
   * The directory of the group. In a container the mount may start at the container's own group, or
   * the path may be relative to another root; then the mount point is the best approximation.
   */
  private static String directory(Mount mount, String path) {
    if (path.startsWith("/..") || !Mount.isAtOrBelow(mount.root(), path)) {
      return mount.mountPoint();
    }
    String below = mount.root().equals("/") ? path : path.substring(mount.root().length());
    return below.equals("/") ? mount.mountPoint() : mount.mountPoint() + below;
  }

  /** The path on the line {@code id:controllers:path} of the controller; for v2 it is empty. */
  private static String path(String selfCgroup, String controller) {
    for (String line : selfCgroup.split("\n")) {
      String[] fields = line.split(":", 3);
      if (fields.length == 3 && List.of(fields[1].split(",")).contains(controller)) {
        return fields[2];
      }
    }
    return "/";
  }
}
