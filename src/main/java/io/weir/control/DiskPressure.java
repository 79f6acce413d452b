package io.weir.control;

import io.weir.procfs.CgroupStat;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The fraction of time in which some task stalled on a disk, over the last half second or more. It
 * comes from the kernel's pressure information, read at most once per window: that of this
 * process's own control group where the kernel keeps one (version 2), else the machine's. So other
 * containers, on disks of their own, do not count.
 *
 * <p><b>Threads:</b> one at a time. <b>Failure:</b> 0 if the kernel does not record it.
 */
final class DiskPressure {

  static final long WINDOW_NANOS = Duration.ofMillis(500).toNanos();

  private static final double NANOS_PER_MICRO = 1000;

  private final Procfs procfs;
  private OptionalLong stalledMicros;
  private long lookedNanos;
  private double share;

  DiskPressure(Procfs procfs, long nowNanos) {
    this.procfs = procfs;
    this.stalledMicros = look();
    this.lookedNanos = nowNanos;
  }

  /** Whether the last read found it. */
  boolean isKnown() {
    return stalledMicros.isPresent();
  }

  /** The fraction, from 0 to 1; 0 until the first window has passed. */
  double share(long nowNanos) {
    if (nowNanos - lookedNanos >= WINDOW_NANOS) {
      OptionalLong now = look();
      if (now.isPresent() && stalledMicros.isPresent()) {
        double stalledNanos = (now.getAsLong() - stalledMicros.getAsLong()) * NANOS_PER_MICRO;
        share = Math.clamp(stalledNanos / (nowNanos - lookedNanos), 0, 1);
      } else {
        share = 0;
      }
      stalledMicros = now;
      lookedNanos = nowNanos;
    }
    return share;
  }

  private OptionalLong look() {
    return procfs
        .cgroupStat()
        .flatMap(CgroupStat::ioPressure)
        .or(procfs::ioPressure)
        .map(Pressure::someTotalMicros)
        .orElse(OptionalLong.empty());
  }
}
