package io.weir.why;

import io.weir.procfs.BlockDevice;
import io.weir.procfs.CgroupStat;
import io.weir.procfs.CpuTimes;
import io.weir.procfs.DeviceIo;
import io.weir.procfs.DirtySettings;
import io.weir.procfs.IoLimit;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Mount;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.procfs.VmStat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * What the kernel says of a process and of the disk of its index, sample by sample.
 *
 * <p><b>Units:</b> nanoseconds of the caller's clock. <b>Threads:</b> one.
 */
final class KernelWatch {

  private static final double MICROS_PER_SECOND = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MEGABYTE = 1e6;
  private static final int MOST_SAMPLES = 3700;

  private final Procfs process;
  private final Optional<Mount> mount;
  private final Optional<BlockDevice> device;
  private final IoLimit limit;
  private final List<String> unseen = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();

  private record Sample(
      long atNanos,
      double refreshShare,
      int merges,
      OptionalLong dirtyBytes,
      OptionalLong thresholdBytes,
      Optional<DeviceIo> disk,
      OptionalLong stalledMicros,
      Optional<CpuTimes> processors) {}

  /**
   * Finds the disk.
   *
   * @param index a directory of it, as the process sees it; empty if none is known
   */
  KernelWatch(Procfs process, Optional<Path> index) {
    this.process = process;
    this.mount = index.flatMap(process::mountOf);
    this.device = mount.flatMap(process::blockDevice);
    this.limit = device.map(process::ioLimit).orElse(NO_LIMIT);
    if (index.isPresent() && device.isEmpty()) {
      unseen.add(
          "The disk of the index: its file system%s has no block device of its own."
              .formatted(mount.map(m -> ", " + m.fileSystemType() + ",").orElse("")));
    }
  }

  private static final IoLimit NO_LIMIT =
      new IoLimit(
          OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

  /**
   * Takes a sample.
   *
   * @param refreshShare the share of the time since the sample before in which a refresh ran; NaN
   *     if that is not known
   */
  void sample(long nowNanos, double refreshShare, int merges) {
    if (samples.size() >= MOST_SAMPLES) {
      return;
    }
    Optional<VmStat> cache = process.vmStat();
    samples.add(
        new Sample(
            nowNanos,
            refreshShare,
            merges,
            process.memInfo().map(MemInfo::dirtyBytes).orElse(OptionalLong.empty()),
            cache.map(VmStat::dirtyThresholdBytes).orElse(OptionalLong.empty()),
            device.flatMap(process::deviceIo),
            pressure().map(Pressure::someTotalMicros).orElse(OptionalLong.empty()),
            process.cpuTimes()));
  }

  /** Of the group of the process first, which its neighbours do not stall. */
  private Optional<Pressure> pressure() {
    return process
        .cgroupStat()
        .flatMap(CgroupStat::ioPressure)
        .filter(own -> own.someTotalMicros().isPresent())
        .or(process::ioPressure);
  }

  private boolean isOwnPressure() {
    return process
        .cgroupStat()
        .flatMap(CgroupStat::ioPressure)
        .filter(own -> own.someTotalMicros().isPresent())
        .isPresent();
  }

  /** What could not be seen. */
  List<String> unseen() {
    List<String> all = new ArrayList<>(unseen);
    if (samples.stream().allMatch(sample -> sample.stalledMicros().isEmpty())) {
      all.add("Pressure on disks: the kernel keeps none (CONFIG_PSI; boot it with psi=1).");
    } else if (!isOwnPressure()) {
      all.add(
          "Pressure in the own control group: it has no io.pressure, so that of the machine is shown.");
    }
    process
        .denial()
        .ifPresent(denial -> all.add("Files of the kernel: access is denied: " + denial));
    return all;
  }

  /** Where the index is and what the kernel is told, by name. */
  Map<String, String> about() {
    Map<String, String> about = new LinkedHashMap<>();
    mount.ifPresent(
        m ->
            about.put(
                "file system of the index",
                "%s at %s".formatted(m.fileSystemType(), m.mountPoint())));
    device.ifPresent(
        d -> about.put("disk", d.name() + d.model().map(model -> " (" + model + ")").orElse("")));
    if (!limit.equals(NO_LIMIT)) {
      about.put("io.max of its control group", limits());
    }
    DirtySettings dirty = process.dirtySettings();
    StringBuilder set = new StringBuilder();
    append(set, "dirty_ratio", dirty.dirtyRatioPercent());
    append(set, "dirty_background_ratio", dirty.dirtyBackgroundRatioPercent());
    append(set, "dirty_bytes", dirty.dirtyBytes());
    append(set, "dirty_expire_centisecs", dirty.dirtyExpireCentisecs());
    append(set, "swappiness", process.memorySetting("swappiness"));
    append(set, "max_map_count", process.memorySetting("max_map_count"));
    if (!set.isEmpty()) {
      about.put("vm settings", set.toString());
    }
    return about;
  }

  private String limits() {
    StringBuilder text = new StringBuilder();
    append(text, "rbps", limit.readBytes());
    append(text, "wbps", limit.writeBytes());
    append(text, "riops", limit.readOperations());
    append(text, "wiops", limit.writeOperations());
    return text.toString();
  }

  private static void append(StringBuilder text, String name, OptionalLong value) {
    if (value.isPresent()) {
      text.append(text.isEmpty() ? "" : ", ").append(name).append(' ').append(value.getAsLong());
    }
  }

  /** What was seen. */
  Map<Fact, Double> facts() {
    Map<Fact, Double> facts = new LinkedHashMap<>();
    if (samples.size() < 2) {
      return facts;
    }
    Sample first = samples.getFirst();
    Sample last = samples.getLast();
    double seconds = (last.atNanos() - first.atNanos()) / NANOS_PER_SECOND;
    first
        .processors()
        .ifPresent(
            before ->
                last.processors()
                    .ifPresent(
                        after -> {
                          put(facts, Fact.CPU_BUSY, before, after, CpuTimes::busyTicks);
                          put(facts, Fact.CPU_STEAL, before, after, CpuTimes::stealTicks);
                        }));
    if (first.stalledMicros().isPresent() && last.stalledMicros().isPresent()) {
      double stalled = last.stalledMicros().getAsLong() - first.stalledMicros().getAsLong();
      facts.put(Fact.IO_PRESSURE, Math.min(100, 100 * stalled / MICROS_PER_SECOND / seconds));
    }
    longs(Sample::dirtyBytes)
        .max()
        .ifPresent(
            peak -> {
              facts.put(Fact.DIRTY_PEAK, peak / MEGABYTE);
              longs(Sample::thresholdBytes)
                  .filter(threshold -> threshold > 0)
                  .min()
                  .ifPresent(
                      threshold -> facts.put(Fact.DIRTY_OF_THRESHOLD, 100.0 * peak / threshold));
            });
    if (first.disk().isPresent() && last.disk().isPresent()) {
      DeviceIo before = first.disk().get();
      DeviceIo after = last.disk().get();
      double reads = (after.reads() - before.reads()) / seconds;
      double writes = (after.writes() - before.writes()) / seconds;
      double readBytes = (after.readBytes() - before.readBytes()) / seconds;
      double writtenBytes = (after.writtenBytes() - before.writtenBytes()) / seconds;
      facts.put(Fact.DISK_OPERATIONS, reads + writes);
      facts.put(Fact.DISK_RATE, (readBytes + writtenBytes) / MEGABYTE);
      double used =
          Math.max(
              Math.max(of(reads, limit.readOperations()), of(writes, limit.writeOperations())),
              Math.max(of(readBytes, limit.readBytes()), of(writtenBytes, limit.writeBytes())));
      if (!limit.equals(NO_LIMIT)) {
        facts.put(Fact.DISK_LIMIT, 100 * used);
      }
    }
    return facts;
  }

  private static double of(double used, OptionalLong most) {
    return most.isPresent() && most.getAsLong() > 0 ? used / most.getAsLong() : 0;
  }

  private static void put(
      Map<Fact, Double> facts,
      Fact fact,
      CpuTimes before,
      CpuTimes after,
      Function<CpuTimes, OptionalLong> ticks) {
    OptionalLong from = ticks.apply(before);
    OptionalLong to = ticks.apply(after);
    if (from.isPresent() && to.isPresent() && before.totalTicks().isPresent()) {
      double all = after.totalTicks().getAsLong() - before.totalTicks().getAsLong();
      if (all > 0) {
        facts.put(fact, 100 * (to.getAsLong() - from.getAsLong()) / all);
      }
    }
  }

  private LongStream longs(Function<Sample, OptionalLong> value) {
    return samples.stream().map(value).flatMapToLong(OptionalLong::stream);
  }

  /** The samples as they came. */
  Observation.Series series() {
    List<Double> seconds = new ArrayList<>();
    List<Double> refresh = new ArrayList<>();
    List<Double> merges = new ArrayList<>();
    List<Double> disk = new ArrayList<>();
    List<Double> dirty = new ArrayList<>();
    List<Double> pressure = new ArrayList<>();
    for (int i = 1; i < samples.size(); i++) {
      Sample before = samples.get(i - 1);
      Sample now = samples.get(i);
      double length = (now.atNanos() - before.atNanos()) / NANOS_PER_SECOND;
      seconds.add((now.atNanos() - samples.getFirst().atNanos()) / NANOS_PER_SECOND);
      refresh.add(100 * now.refreshShare());
      merges.add((double) now.merges());
      disk.add(
          before.disk().isPresent() && now.disk().isPresent()
              ? (bytes(now.disk().get()) - bytes(before.disk().get())) / MEGABYTE / length
              : Double.NaN);
      dirty.add(
          now.dirtyBytes().isPresent() ? now.dirtyBytes().getAsLong() / MEGABYTE : Double.NaN);
      pressure.add(
          before.stalledMicros().isPresent() && now.stalledMicros().isPresent()
              ? Math.min(
                  100,
                  100
                      * (now.stalledMicros().getAsLong() - before.stalledMicros().getAsLong())
                      / MICROS_PER_SECOND
                      / length)
              : Double.NaN);
    }
    return new Observation.Series(seconds, refresh, merges, disk, dirty, pressure);
  }

  private static double bytes(DeviceIo io) {
    return (double) io.readBytes() + io.writtenBytes();
  }
}
