package io.weir.host;

import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.Unit.BYTES;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.NANOS;

import io.weir.figure.SourceFigures;
import java.time.Duration;
import java.util.List;
import oshi.hardware.HWDiskStore;
import oshi.spi.SystemInfoFactory;

/**
 * A disk of this machine, with OSHI's counters.
 *
 * <p><b>Threads:</b> any; calls are serialized. <b>Failure:</b> if OSHI cannot list disks there are
 * none; a removed disk keeps its last figures.
 */
public final class HostDisk {

  /**
   * The counters of a disk since the machine started.
   *
   * @param busy time in which it had requests
   * @param queuedRequests requests that it has not completed yet
   */
  public record Counters(long readBytes, long writtenBytes, Duration busy, long queuedRequests) {

    /** What is shown of a disk. */
    public static final SourceFigures<Counters> FIGURES =
        SourceFigures.of(
                "system.disk",
                total(
                    "read",
                    BYTES,
                    "Bytes read from a disk since the machine started",
                    Counters::readBytes),
                total(
                    "written",
                    BYTES,
                    "Bytes written to a disk since the machine started",
                    Counters::writtenBytes),
                total(
                    "busy",
                    NANOS,
                    "Time in which a disk had requests",
                    (Counters disk) -> disk.busy.toNanos()),
                level(
                        "queue",
                        COUNT,
                        "Requests that a disk has not completed yet",
                        Counters::queuedRequests)
                    .counting("requests"))
            .by("disk");
  }

  private final HWDiskStore disk;

  private HostDisk(HWDiskStore disk) {
    this.disk = disk;
  }

  /** All current disks; partitions count as part of their disk. */
  public static List<HostDisk> all() {
    try {
      return SystemInfoFactory.create().getHardware().getDiskStores().stream()
          .map(HostDisk::new)
          .toList();
    } catch (RuntimeException | LinkageError e) { // a linkage error: no native library
      return List.of();
    }
  }

  /** The kernel's name, such as {@code nvme0n1}. */
  public String name() {
    String name = disk.getName();
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /** The counters now. */
  public synchronized Counters read() {
    try {
      disk.updateAttributes();
    } catch (RuntimeException | LinkageError e) {
      // It keeps the last figures.
    }
    return new Counters(
        disk.getReadBytes(),
        disk.getWriteBytes(),
        Duration.ofMillis(disk.getTransferTime()),
        disk.getCurrentQueueLength());
  }
}
