package io.weir.host;

import io.weir.procfs.CgroupVersion;
import java.util.List;

/**
 * The machine a run was made on. Whatever could not be learnt is null, never zero.
 *
 * <p><b>Units:</b> bytes, unless a name says otherwise.
 *
 * @param memoryBytes memory the operating system manages; a control group may allow less
 * @param kernel the Linux kernel's release
 * @param jvm the JVM that asked
 * @param storage where the index lies
 * @param virtualization the hypervisor or container kind, where it shows itself
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
   * The processors of the machine, not only those this process may use.
   *
   * @param logicalCores hardware threads
   */
  public record Cpu(String model, Integer physicalCores, Integer logicalCores) {}

  /**
   * @param name the distribution, for a Linux
   */
  public record OperatingSystem(String name, String version) {}

  /**
   * @param version with its build, such as {@code 25.0.1+8-LTS}
   * @param flags the arguments given to the JVM itself, as given
   * @param maxHeapBytes as far as the heap may grow
   */
  public record Jvm(
      String version, String vendor, String name, List<String> flags, long maxHeapBytes) {}

  /**
   * The file system that holds a directory, and the disk below it.
   *
   * @param mount where the file system is mounted
   * @param device what is mounted there
   * @param diskModel as the disk tells it; virtual disks tell none
   * @param rotational whether the kernel takes the disk for a spinning one; some virtual disks say
   *     so too
   * @param usableBytes free for this process when it was asked
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
   * @param memoryLimitBytes null when there is no limit
   */
  public record ControlGroup(CgroupVersion version, Long memoryLimitBytes) {}
}
