package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.host.HostDisk;
import io.weir.time.NanoClock;
import java.util.List;

/**
 * The meters of the machine's disks; the tag {@code disk} is a disk's name. Bind one per registry,
 * with {@code oshi-common} on the class path. Disks that are added later have no meters.
 */
public final class DiskMetrics extends WeirMeterBinder {

  /** More disks are usually in a storage system that has meters of its own. */
  private static final int MAX_DISKS = 32;

  /** Without further tags. */
  public DiskMetrics() {
    this(Tags.empty());
  }

  /**
   * With additional tags.
   *
   * @param tags without the key {@code disk}
   */
  public DiskMetrics(Tags tags) {
    super(tags, TagKeys.DISK);
  }

  @Override
  Runnable register(MeterSet meters) {
    List<HostDisk> disks = HostDisk.all();
    for (HostDisk disk : disks.subList(0, Math.min(disks.size(), MAX_DISKS))) {
      String name = disk.name();
      Reading<HostDisk.Counters> counters = new Reading<>(disk::read, NanoClock.SYSTEM);
      meters.all(HostDisk.Counters.FIGURES, counters, name);
    }
    return () -> {};
  }
}
