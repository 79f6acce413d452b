package io.weir.stress.noise;

import io.weir.procfs.CpuTimes;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.procfs.VmStat;
import io.weir.run.HostNoise;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The kernel's counters of activity on the machine, at one moment.
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

  /** The counters now. */
  public static HostCounters read(Procfs procfs, long nanos) {
    OptionalLong none = OptionalLong.empty();
    CpuTimes cpu = procfs.cpuTimes().orElse(new CpuTimes(none, none, none));
    return new HostCounters(
        nanos,
        cpu.totalTicks(),
        cpu.stealTicks(),
        procfs.ioPressure().map(Pressure::someTotalMicros).orElse(none),
        procfs.vmStat().map(VmStat::dirtiedBytes).orElse(none),
        procfs.selfIo().map(IoCounters::writeBytes).orElse(none));
  }

  /** The same, when what this process wrote says nothing about what others did. */
  public HostCounters withoutOwn() {
    return new HostCounters(
        nanos, cpuTicks, stealTicks, ioStalledMicros, dirtiedBytes, OptionalLong.empty());
  }

  /** What happened since {@code earlier}. */
  public HostNoise since(HostCounters earlier) {
    double seconds = (nanos - earlier.nanos) / 1e9;
    Optional<Double> ticks = growth(cpuTicks, earlier.cpuTicks).filter(count -> count > 0);
    Optional<Double> steal = growth(stealTicks, earlier.stealTicks);
    Optional<Double> stalled =
        growth(ioStalledMicros, earlier.ioStalledMicros).filter(any -> seconds > 0);
    Optional<Double> dirtied = growth(dirtiedBytes, earlier.dirtiedBytes);
    Optional<Double> own = growth(ownDirtiedBytes, earlier.ownDirtiedBytes);
    return new HostNoise(
        seconds,
        ticks.flatMap(all -> steal.map(stolen -> 100 * stolen / all)),
        stalled.map(
            micros -> Math.clamp(100 * micros * NANOS_PER_MICRO / (nanos - earlier.nanos), 0, 100)),
        dirtied.flatMap(all -> own.map(ours -> Math.max(0, Math.round(all - ours)))));
  }

  private static Optional<Double> growth(OptionalLong now, OptionalLong earlier) {
    return now.isEmpty() || earlier.isEmpty()
        ? Optional.empty()
        : Optional.of((double) (now.getAsLong() - earlier.getAsLong()));
  }
}
