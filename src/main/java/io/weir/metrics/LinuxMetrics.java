package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.procfs.CgroupStat;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.procfs.VmStat;
import io.weir.time.NanoClock;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The Linux kernel's figures of dirty pages, of pages read again and of stalls on disks, for the
 * machine (scope {@code host}) and for this process's control group (scope {@code cgroup}). A
 * figure that is absent when this is bound has no meter. If it disappears later, a gauge is NaN,
 * and a counter keeps its last value.
 *
 * <p>Bind one per registry. A scrape reads each file once.
 */
public final class LinuxMetrics extends WeirMeterBinder {

  private static final String HOST = "host";
  private static final String CGROUP = "cgroup";
  private static final String BACKGROUND = "background";
  private static final String LIMIT = "limit";
  private static final double MICROS_PER_SECOND = 1e6;

  private final Reading<Optional<MemInfo>> memory;
  private final Reading<Optional<VmStat>> pages;
  private final Reading<Optional<Pressure>> pressure;
  private final Reading<Optional<CgroupStat>> group;

  /** For this machine. */
  public LinuxMetrics() {
    this(Procfs.SYSTEM, Tags.empty());
  }

  /**
   * For any root, with additional tags.
   *
   * @param tags without the keys {@code scope}, {@code level} and {@code stall}
   */
  public LinuxMetrics(Procfs procfs, Tags tags) {
    this(Objects.requireNonNull(procfs, "procfs"), tags, NanoClock.SYSTEM);
  }

  LinuxMetrics(Procfs procfs, Tags tags, NanoClock clock) {
    super(tags, TagKeys.SCOPE, TagKeys.LEVEL, TagKeys.STALL);
    this.memory = new Reading<>(procfs::memInfo, clock);
    this.pages = new Reading<>(procfs::vmStat, clock);
    this.pressure = new Reading<>(procfs::ioPressure, clock);
    this.group = new Reading<>(procfs::cgroupStat, clock);
  }

  @Override
  Runnable register(MeterSet meters) {
    gauge(meters, WeirMeter.LINUX_DIRTY, this::dirty, HOST);
    gauge(meters, WeirMeter.LINUX_WRITEBACK, this::writeback, HOST);
    gauge(meters, WeirMeter.LINUX_DIRTY, () -> of(group.get(), CgroupStat::dirtyBytes), CGROUP);
    gauge(
        meters,
        WeirMeter.LINUX_WRITEBACK,
        () -> of(group.get(), CgroupStat::writebackBytes),
        CGROUP);
    gauge(meters, WeirMeter.LINUX_DIRTY_THRESHOLD, this::background, BACKGROUND);
    gauge(meters, WeirMeter.LINUX_DIRTY_THRESHOLD, this::limit, LIMIT);
    // The kernel compares dirty pages with the lower threshold, and dirty plus writeback pages with
    // the upper. Source: Linux 6.1, mm/page-writeback.c, balance_dirty_pages, wb_over_bg_thresh.
    gauge(meters, WeirMeter.LINUX_DIRTY_DISTANCE, () -> minus(background(), dirty()), BACKGROUND);
    gauge(
        meters,
        WeirMeter.LINUX_DIRTY_DISTANCE,
        () -> minus(minus(limit(), dirty()), writeback()),
        LIMIT);
    counter(
        meters, WeirMeter.LINUX_REFAULTED, () -> of(pages.get(), VmStat::refaultedBytes), 1, HOST);
    counter(
        meters,
        WeirMeter.LINUX_REFAULTED,
        () -> of(group.get(), CgroupStat::refaultedBytes),
        1,
        CGROUP);
    counter(meters, WeirMeter.LINUX_DIRTIED, () -> of(pages.get(), VmStat::dirtiedBytes), 1);
    counter(meters, WeirMeter.LINUX_WRITTEN, () -> of(pages.get(), VmStat::writtenBytes), 1);
    pressure(meters, pressure, HOST);
    pressure(meters, () -> group.get().flatMap(CgroupStat::ioPressure), CGROUP);
    return () -> {};
  }

  private static void pressure(
      MeterSet meters, Supplier<Optional<Pressure>> pressure, String scope) {
    counter(
        meters,
        WeirMeter.LINUX_PRESSURE_IO,
        () -> of(pressure.get(), Pressure::someTotalMicros),
        MICROS_PER_SECOND,
        "some",
        scope);
    counter(
        meters,
        WeirMeter.LINUX_PRESSURE_IO,
        () -> of(pressure.get(), Pressure::fullTotalMicros),
        MICROS_PER_SECOND,
        "full",
        scope);
  }

  private OptionalLong dirty() {
    return of(memory.get(), MemInfo::dirtyBytes);
  }

  private OptionalLong writeback() {
    return of(memory.get(), MemInfo::writebackBytes);
  }

  private OptionalLong background() {
    return of(pages.get(), VmStat::dirtyBackgroundThresholdBytes);
  }

  private OptionalLong limit() {
    return of(pages.get(), VmStat::dirtyThresholdBytes);
  }

  private static void gauge(
      MeterSet meters, WeirMeter meter, Supplier<OptionalLong> value, String... tagValues) {
    if (value.get().isPresent()) {
      meters.gauge(meter, () -> orNaN(value.get()), tagValues);
    }
  }

  private static void counter(
      MeterSet meters,
      WeirMeter meter,
      Supplier<OptionalLong> value,
      double unitsPerOne,
      String... tagValues) {
    OptionalLong now = value.get();
    if (now.isPresent()) {
      AtomicLong last = new AtomicLong(now.getAsLong());
      meters.counter(
          meter,
          () -> {
            value.get().ifPresent(last::set);
            return last.get() / unitsPerOne;
          },
          tagValues);
    }
  }

  private static <T> OptionalLong of(Optional<T> from, Function<T, OptionalLong> field) {
    return from.map(field).orElse(OptionalLong.empty());
  }

  private static OptionalLong minus(OptionalLong from, OptionalLong what) {
    return from.isPresent() && what.isPresent()
        ? OptionalLong.of(from.getAsLong() - what.getAsLong())
        : OptionalLong.empty();
  }

  private static double orNaN(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : Double.NaN;
  }
}
