package io.weir.why;

import io.weir.procfs.BlockDevice;
import io.weir.procfs.CgroupStat;
import io.weir.procfs.CpuPeriods;
import io.weir.procfs.CpuTimes;
import io.weir.procfs.DeviceIo;
import io.weir.procfs.DirtySettings;
import io.weir.procfs.IoCounters;
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
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What the kernel says of a process and of the disk of its index, sample by sample.
 *
 * <p><b>Units:</b> nanoseconds of the caller's clock. <b>Threads:</b> one.
 */
final class KernelWatch {

  private static final double MICROS_PER_SECOND = 1e6;
  private static final double MILLIS_PER_SECOND = 1e3;
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
      Optional<MemInfo> memory,
      Optional<VmStat> cache,
      Optional<DeviceIo> disk,
      Optional<IoCounters> own,
      OptionalLong stalledMicros,
      Optional<CpuTimes> processors,
      OptionalLong ownTicks,
      List<CpuPeriods> quotas) {

    OptionalLong dirtyBytes() {
      return memory.map(MemInfo::dirtyBytes).orElse(OptionalLong.empty());
    }

    OptionalLong thresholdBytes() {
      return cache.map(VmStat::dirtyThresholdBytes).orElse(OptionalLong.empty());
    }

    /** Dirty, or being written. */
    OptionalLong unwrittenBytes() {
      OptionalLong written = memory.map(MemInfo::writebackBytes).orElse(OptionalLong.empty());
      return dirtyBytes().isPresent() && written.isPresent()
          ? OptionalLong.of(dirtyBytes().getAsLong() + written.getAsLong())
          : OptionalLong.empty();
    }

    /**
     * Whether so much is unwritten that the kernel begins to hold writers up: half way between
     * where it begins to write and the threshold. (Source: Linux, dirty_freerun_ceiling.)
     */
    Optional<Boolean> isAboveFreeRun() {
      OptionalLong begin =
          cache.map(VmStat::dirtyBackgroundThresholdBytes).orElse(OptionalLong.empty());
      OptionalLong unwritten = unwrittenBytes();
      return unwritten.isPresent() && begin.isPresent() && thresholdBytes().isPresent()
          ? Optional.of(
              unwritten.getAsLong() > (begin.getAsLong() + thresholdBytes().getAsLong()) / 2)
          : Optional.empty();
    }

    double seconds(Sample later) {
      return (later.atNanos - atNanos) / NANOS_PER_SECOND;
    }
  }

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
    samples.add(
        new Sample(
            nowNanos,
            refreshShare,
            merges,
            process.memInfo(),
            process.vmStat(),
            device.flatMap(process::deviceIo),
            process.selfIo(),
            pressure().map(Pressure::someTotalMicros).orElse(OptionalLong.empty()),
            process.cpuTimes(),
            process.selfTicks(),
            process.cpuPeriods()));
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
    if (samples.stream().allMatch(sample -> sample.own().isEmpty())) {
      all.add("What the process reads and writes: its file io cannot be read.");
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
    double seconds = first.seconds(last);
    if (first.processors().isPresent() && last.processors().isPresent()) {
      processors(facts, first, last);
    }
    throttled(first.quotas(), last.quotas())
        .ifPresent(share -> facts.put(Fact.CPU_THROTTLED, 100 * share));
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
    List<Boolean> above =
        samples.stream().flatMap(sample -> sample.isAboveFreeRun().stream()).toList();
    if (!above.isEmpty()) {
      facts.put(Fact.DIRTY_ABOVE, 100.0 * above.stream().filter(is -> is).count() / above.size());
    }
    if (first.disk().isPresent() && last.disk().isPresent()) {
      disk(facts, first, last);
    }
    return facts;
  }

  private void disk(Map<Fact, Double> facts, Sample first, Sample last) {
    double seconds = first.seconds(last);
    DeviceIo before = first.disk().orElseThrow();
    DeviceIo after = last.disk().orElseThrow();
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
    List<DiskLimit.Second> each = new ArrayList<>();
    for (int i = 1; i < samples.size(); i++) {
      second(samples.get(i - 1), samples.get(i)).ifPresent(each::add);
    }
    second(first, last)
        .ifPresent(
            all -> {
              facts.put(Fact.DISK_BUSY, all.busyPercent());
              facts.put(Fact.DISK_QUEUE, all.queue());
              facts.putAll(DiskLimit.facts(each));
            });
    others(first, last).ifPresent(share -> facts.put(Fact.DISK_OTHERS, share));
  }

  /** What the disk did between two samples, as of one second. */
  private static Optional<DiskLimit.Second> second(Sample from, Sample to) {
    if (from.disk().isEmpty() || to.disk().isEmpty()) {
      return Optional.empty();
    }
    DeviceIo before = from.disk().get();
    DeviceIo after = to.disk().get();
    OptionalDouble busy = count(before.busyMillis(), after.busyMillis());
    OptionalDouble queue = count(before.queueMillis(), after.queueMillis());
    double seconds = from.seconds(to);
    return busy.isEmpty() || queue.isEmpty() || seconds <= 0
        ? Optional.empty()
        : Optional.of(
            new DiskLimit.Second(
                (after.reads() + after.writes() - before.reads() - before.writes()) / seconds,
                (bytes(after) - bytes(before)) / seconds,
                Math.min(100, busy.getAsDouble() / 10 / seconds),
                queue.getAsDouble() / MILLIS_PER_SECOND / seconds));
  }

  /**
   * How much of what the disk did this process did not cause. Its writes count when it dirties a
   * page, so pages that were dirty before are left out; and the journal of a file system is of
   * others.
   */
  private static Optional<Double> others(Sample first, Sample last) {
    if (first.own().isEmpty() || last.own().isEmpty()) {
      return Optional.empty();
    }
    DeviceIo before = first.disk().orElseThrow();
    DeviceIo after = last.disk().orElseThrow();
    OptionalDouble read = count(first.own().get().readBytes(), last.own().get().readBytes());
    OptionalDouble written = count(first.own().get().writeBytes(), last.own().get().writeBytes());
    double all = bytes(after) - bytes(before);
    if (read.isEmpty() || written.isEmpty() || all <= 0) {
      return Optional.empty();
    }
    double older = Math.max(0, -count(first.unwrittenBytes(), last.unwrittenBytes()).orElse(0));
    double othersRead = after.readBytes() - before.readBytes() - read.getAsDouble();
    double othersWritten =
        after.writtenBytes() - before.writtenBytes() - written.getAsDouble() - older;
    return Optional.of(100 * (Math.max(0, othersRead) + Math.max(0, othersWritten)) / all);
  }

  private static double of(double used, OptionalLong most) {
    return most.isPresent() && most.getAsLong() > 0 ? used / most.getAsLong() : 0;
  }

  private static OptionalDouble count(OptionalLong from, OptionalLong to) {
    return from.isPresent() && to.isPresent()
        ? OptionalDouble.of(to.getAsLong() - from.getAsLong())
        : OptionalDouble.empty();
  }

  /** Of the quota that was reached in most periods. */
  private static OptionalDouble throttled(List<CpuPeriods> before, List<CpuPeriods> after) {
    return IntStream.range(0, Math.min(before.size(), after.size()))
        .mapToDouble(i -> after.get(i).throttledSince(before.get(i)))
        .max();
  }

  private static void processors(Map<Fact, Double> facts, Sample first, Sample last) {
    CpuTimes before = first.processors().orElseThrow();
    CpuTimes after = last.processors().orElseThrow();
    double all = count(before.totalTicks(), after.totalTicks()).orElse(0);
    if (all <= 0) {
      return;
    }
    OptionalDouble busy = count(before.busyTicks(), after.busyTicks());
    OptionalDouble own = count(first.ownTicks(), last.ownTicks());
    busy.ifPresent(ticks -> facts.put(Fact.CPU_BUSY, 100 * ticks / all));
    if (busy.isPresent() && own.isPresent()) {
      double others = Math.max(0, busy.getAsDouble() - own.getAsDouble());
      facts.put(Fact.CPU_OTHERS, 100 * others / all);
    }
    count(before.stealTicks(), after.stealTicks())
        .ifPresent(ticks -> facts.put(Fact.CPU_STEAL, 100 * ticks / all));
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
      double length = before.seconds(now);
      seconds.add(samples.getFirst().seconds(now));
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
