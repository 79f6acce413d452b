package io.weir.stress.noise;

import io.weir.procfs.CpuTimes;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.procfs.VmStat;
import io.weir.stress.result.HostNoise;
import java.util.OptionalLong;

/**
 * The kernel's counters of what everybody does, at one moment.
 *
 * @param nanos when
 */
public record HostCounters(
    long nanos,
    OptionalLong cpuTicks,
    OptionalLong stealTicks,
    OptionalLong ioStalledMicros,
    OptionalLong dirtiedBytes,
    OptionalLong ownDirtiedBytes) {

  private static final double NANOS_PER_MICRO = 1e3;

  /** Those of now. */
  public static HostCounters read(Procfs procfs, long nanos) {
    OptionalLong none = OptionalLong.empty();
    CpuTimes cpu = procfs.cpuTimes().orElse(new CpuTimes(none, none));
    return new HostCounters(
        nanos,
        cpu.totalTicks(),
        cpu.stealTicks(),
        procfs.ioPressure().map(Pressure::someTotalMicros).orElse(none),
        procfs.vmStat().map(VmStat::dirtiedBytes).orElse(none),
        procfs.selfIo().map(IoCounters::writeBytes).orElse(none));
  }

  /** What happened since {@code earlier}. */
  public HostNoise since(HostCounters earlier) {
    double seconds = (nanos - earlier.nanos) / 1e9;
    Double ticks = grown(cpuTicks, earlier.cpuTicks);
    Double steal = grown(stealTicks, earlier.stealTicks);
    Double stalled = grown(ioStalledMicros, earlier.ioStalledMicros);
    Double dirtied = grown(dirtiedBytes, earlier.dirtiedBytes);
    Double own = grown(ownDirtiedBytes, earlier.ownDirtiedBytes);
    return new HostNoise(
        seconds,
        ticks == null || steal == null || ticks <= 0 ? null : 100 * steal / ticks,
        stalled == null || seconds <= 0
            ? null
            : Math.clamp(100 * stalled * NANOS_PER_MICRO / (nanos - earlier.nanos), 0, 100),
        dirtied == null || own == null ? null : Math.max(0, Math.round(dirtied - own)));
  }

  private static Double grown(OptionalLong now, OptionalLong earlier) {
    return now.isEmpty() || earlier.isEmpty()
        ? null
        : (double) (now.getAsLong() - earlier.getAsLong());
  }
}
