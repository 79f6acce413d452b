package io.weir.host;

import io.weir.procfs.CgroupVersion;
import java.util.List;

/**
 * The machine of a run. An unknown value is null, never zero.
 *
 * <p><b>Units:</b> bytes, unless a name says otherwise.
 *
 * @param memoryBytes memory that the operating system manages; a control group may allow less
 * @param kernel the Linux kernel's release
 * @param jvm this JVM
 * @param storage where the index is
 * @param virtualization the hypervisor or kind of container, if detectable
 */
public record Environment(
    Cpu cpu,
    Long memoryBytes,
    OperatingSystem os,
    String kernel,
    Jvm jvm,
    Storage storage,
    DirtySettings dirtySettings,
    ControlGroup cgroup,
    String virtualization) {

  /**
   * The processors of the machine, including those that this process must not use.
   *
   * @param logicalCores hardware threads
   */
  public record Cpu(String model, Integer physicalCores, Integer logicalCores) {}

  /**
   * @param name the distribution, on Linux
   */
  public record OperatingSystem(String name, String version) {}

  /**
   * @param version with its build, such as {@code 25.0.1+8-LTS}
   * @param flags the arguments of the JVM itself, verbatim
   * @param maxHeapBytes the maximum heap size
   */
  public record Jvm(
      String version, String vendor, String name, List<String> flags, long maxHeapBytes) {}

  /**
   * The file system of a directory, and its disk.
   *
   * @param mount where the file system is mounted
   * @param device the mounted device
   * @param diskModel as the disk reports it; virtual disks report none
   * @param rotational whether the kernel considers it a spinning disk; this holds for some virtual
   *     disks too
   * @param usableBytes space available to this process at that time
   */
  public record Storage(
      String fileSystemType,
      String mount,
      String device,
      String diskModel,
      Boolean rotational,
      Long totalBytes,
      Long usableBytes) {}

  /** The kernel's settings for dirty pages, see {@link io.weir.procfs.DirtySettings}. */
  public record DirtySettings(
      Long dirtyRatioPercent,
      Long dirtyBackgroundRatioPercent,
      Long dirtyBytes,
      Long dirtyBackgroundBytes,
      Long dirtyExpireCentisecs,
      Long dirtyWritebackCentisecs) {}

  /**
   * The control group of this process.
   *
   * @param memoryLimitBytes null if there is no limit
   */
  public record ControlGroup(CgroupVersion version, Long memoryLimitBytes) {}
}
