package io.weir.host;

import java.time.Duration;
import java.util.List;
import oshi.hardware.HWDiskStore;
import oshi.spi.SystemInfoFactory;

/**
 * A disk of this machine, as OSHI counts it.
 *
 * <p><b>Threads:</b> any; one at a time is served. <b>Failure:</b> a machine whose disks OSHI
 * cannot tell has none; a disk that has gone keeps its last figures.
 */
public final class HostDisk {

  /**
   * What a disk has done since the machine started.
   *
   * @param busy time in which it had something to do
   * @param queuedRequests that it has not answered yet
   */
  public record Counters(long readBytes, long writtenBytes, Duration busy, long queuedRequests) {}

  private final HWDiskStore disk;

  private HostDisk(HWDiskStore disk) {
    this.disk = disk;
  }

  /** All that there are now; partitions are part of their disk. */
  public static List<HostDisk> all() {
    try {
      return SystemInfoFactory.create().getHardware().getDiskStores().stream()
          .map(HostDisk::new)
          .toList();
    } catch (RuntimeException | LinkageError e) { // a linkage error: no native library
      return List.of();
    }
  }

  /** As the kernel calls it, such as {@code nvme0n1}. */
  public String name() {
    String name = disk.getName();
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /** What it has done until now. */
  public synchronized Counters read() {
    try {
      disk.updateAttributes();
    } catch (RuntimeException | LinkageError e) {
      // It keeps what it had.
    }
    return new Counters(
        disk.getReadBytes(),
        disk.getWriteBytes(),
        Duration.ofMillis(disk.getTransferTime()),
        disk.getCurrentQueueLength());
  }
}
