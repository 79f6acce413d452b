package io.weir.stress.engine;

import io.weir.procfs.MemInfo;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.procfs.VmStat;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.meters.DirtyPeaks;
import io.weir.stress.arm.meters.SampleSource;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Looks at the load and, if the server runs here, at the machine. It leaves the cells empty that
 * only the server could fill.
 *
 * <p><b>Threads:</b> {@link #sample} from one. <b>Ownership:</b> closes the lines.
 */
final class EngineSampler implements SampleSource, Closeable {

  private final Timeline timeline;
  private final Optional<Procfs> machine;
  private final Load load;
  private final ArmCsv lines;
  private final DirtyPeaks dirty = new DirtyPeaks();

  /**
   * A sampler that has not looked yet.
   *
   * @param machine where the server's machine is described; empty if that is another one
   * @param lines with {@link Sampler#COLUMNS}
   */
  EngineSampler(Timeline timeline, Optional<Procfs> machine, Load load, ArmCsv lines) {
    this.timeline = timeline;
    this.machine = machine;
    this.load = load;
    this.lines = lines;
  }

  @Override
  public void sample() throws IOException {
    long nowNanos = timeline.nowNanos();
    Phase phase = timeline.phaseOf(nowNanos);
    Optional<MemInfo> memInfo = machine.flatMap(Procfs::memInfo);
    Optional<VmStat> vmStat = machine.flatMap(Procfs::vmStat);
    Optional<Pressure> pressure = machine.flatMap(Procfs::ioPressure);
    dirty.add(phase, value(memInfo, MemInfo::dirtyBytes));
    Map<String, Object> cells = new HashMap<>();
    cells.put("phase", phase.label());
    cells.put("time_nanos", nowNanos);
    cells.put("searches", load.searches().finished());
    cells.put("updates", load.updates().finished());
    cells.put("commits", load.commits().finished());
    long searchMaxNanos = load.searches().takeRecentMaxNanos();
    cells.put(
        "search_max_nanos",
        searchMaxNanos < 0 ? OptionalLong.empty() : OptionalLong.of(searchMaxNanos));
    cells.put("dirty_bytes", dirty.recentBytes());
    cells.put("writeback_bytes", value(memInfo, MemInfo::writebackBytes));
    cells.put("dirty_threshold_bytes", value(vmStat, VmStat::dirtyThresholdBytes));
    cells.put(
        "dirty_background_threshold_bytes", value(vmStat, VmStat::dirtyBackgroundThresholdBytes));
    cells.put("dirtied_bytes", value(vmStat, VmStat::dirtiedBytes));
    cells.put("written_bytes", value(vmStat, VmStat::writtenBytes));
    cells.put("pressure_some_micros", value(pressure, Pressure::someTotalMicros));
    cells.put("pressure_full_micros", value(pressure, Pressure::fullTotalMicros));
    lines.line(
        Arrays.stream(Sampler.COLUMNS)
            .skip(2) // the lines have the arm and the round themselves
            .map(column -> cells.getOrDefault(column, Optional.empty()))
            .toArray());
  }

  /** The most dirty bytes seen; nothing where they are not known. */
  Values dirty() {
    return dirty.values();
  }

  /** The most recent dirty bytes; empty where they are not known. */
  Optional<Long> recentDirtyBytes() {
    return dirty.recentBytes();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private static <T> Optional<Long> value(Optional<T> from, Function<T, OptionalLong> field) {
    return from.map(field).filter(OptionalLong::isPresent).map(OptionalLong::getAsLong);
  }
}
