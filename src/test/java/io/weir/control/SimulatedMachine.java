package io.weir.control;

import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Kernel files of a machine with one disk, {@code sda}, mounted at one directory by its first
 * partition, and a memory file system at another. The process is in a control group of version 2.
 */
final class SimulatedMachine {

  final Path onDisk;
  final Path inMemory;

  private final KernelTree kernel;

  SimulatedMachine(Path temp) throws IOException {
    kernel = new KernelTree(Files.createDirectory(temp.resolve("root")));
    onDisk = Files.createDirectory(temp.toRealPath().resolve("disk"));
    inMemory = Files.createDirectory(temp.toRealPath().resolve("memory"));
    kernel.write(
        "proc/self/mountinfo",
        """
        30 22 8:1 / %s rw - ext4 /dev/sda1 rw
        31 22 0:44 / %s rw - tmpfs tmpfs rw
        32 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
        """
            .formatted(onDisk, inMemory));
    kernel.write("proc/self/cgroup", "0::/search\n");
    kernel.write("sys/devices/sda/dev", "8:0\n");
    kernel.write("sys/devices/sda/sda1/partition", "1\n");
    kernel.link("sys/dev/block/8:1", "sys/devices/sda/sda1");
    kernel.link("sys/class/block/sda", "sys/devices/sda");
  }

  Procfs procfs() {
    return kernel.procfs();
  }

  /** From now on the device has completed so many operations, half of them reads. */
  void device(long operations) throws IOException {
    device(operations / 2, operations - operations / 2);
  }

  void device(long reads, long writes) throws IOException {
    kernel.write(
        "sys/devices/sda/stat", "%d 0 9 9 %d 0 9 9 0 9 9 0 0 0 0 0 0\n".formatted(reads, writes));
  }

  /** From now on the control group has done so many. */
  void group(long operations) throws IOException {
    kernel.write("sys/fs/cgroup/search/cgroup.type", "domain\n");
    kernel.write(
        "sys/fs/cgroup/search/io.stat",
        "8:0 rbytes=9 wbytes=9 rios=%d wios=1 dbytes=0 dios=9\n".formatted(operations - 1));
  }

  void noDeviceCounters() throws IOException {
    kernel.delete("sys/devices/sda/stat");
  }

  void noMounts() throws IOException {
    kernel.delete("proc/self/mountinfo");
  }
}
