package io.weir.stress.arm.meters;

import io.weir.procfs.IoCounters;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.procfs.VmStat;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.DirtyResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Looks at everything at once and writes one line about it: the kernel's dirty pages, the merges
 * and their budget, the process, the load.
 *
 * <p>What cannot be read is left empty in the line.
 *
 * <p><b>Threads:</b> {@link #sample} from one thread. <b>Ownership:</b> closes the line writer.
 */
public final class Sampler implements Closeable {

  static final String[] COLUMNS = {
    "arm",
    "round",
    "phase",
    "time_nanos",
    "searches",
    "updates",
    "commits",
    "search_max_nanos",
    "dirty_bytes",
    "writeback_bytes",
    "dirty_threshold_bytes",
    "dirty_background_threshold_bytes",
    "dirtied_bytes",
    "written_bytes",
    "merge_written_bytes",
    "merge_charged_bytes",
    "merges_running",
    "merge_debt_bytes",
    "cap_state",
    "cap_bytes_per_second",
    "paused_nanos",
    "paused_threads",
    "process_read_bytes",
    "process_written_bytes",
    "pressure_some_micros",
    "pressure_full_micros",
    "heap_used_bytes",
    "rss_bytes",
    "gc_count",
    "gc_millis",
    "heap_committed_bytes"
  };

  private final String arm;
  private final int round;
  private final Timeline timeline;
  private final Procfs procfs;
  private final MergeMeter meter;
  private final ByteBudget budget;
  private final Supplier<Long> mergeDebtBytes;
  private final Load load;
  private final CSVPrinter lines;
  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private final GcCounters collectors = new GcCounters();
  private final Map<Phase, Long> peakDirtyBytes = new EnumMap<>(Phase.class);
  private Long recentDirtyBytes;

  /**
   * A sampler that writes to {@code out}.
   *
   * @param budget null when the arm has none
   * @param mergeDebtBytes what accepted merges have still to write; null where nobody knows
   */
  public Sampler(
      String arm,
      int round,
      Timeline timeline,
      Procfs procfs,
      MergeMeter meter,
      ByteBudget budget,
      Supplier<Long> mergeDebtBytes,
      Load load,
      Writer out)
      throws IOException {
    this.arm = arm;
    this.round = round;
    this.timeline = timeline;
    this.procfs = procfs;
    this.meter = meter;
    this.budget = budget;
    this.mergeDebtBytes = mergeDebtBytes;
    this.load = load;
    this.lines = new CSVPrinter(out, CSVFormat.RFC4180.builder().setHeader(COLUMNS).get());
  }

  /** Writes one line about now. */
  void sample() throws IOException {
    long nowNanos = timeline.nowNanos();
    Phase phase = timeline.phaseOf(nowNanos);
    Optional<MemInfo> memInfo = procfs.memInfo();
    Optional<VmStat> vmStat = procfs.vmStat();
    Optional<IoCounters> selfIo = procfs.selfIo();
    Optional<Pressure> pressure = procfs.ioPressure();
    Long dirtyBytes = value(memInfo, MemInfo::dirtyBytes);
    recentDirtyBytes = dirtyBytes;
    if (dirtyBytes != null && phase != Phase.WARMUP) {
      peakDirtyBytes.merge(phase, dirtyBytes, Math::max);
    }
    long mergeWrittenBytes = meter.writtenBytes(); // first, so that no more is shown than granted
    Rate cap = budget == null ? null : budget.rate();
    BudgetSnapshot granted = budget == null ? null : budget.snapshot();
    MemoryUsage heap = memory.getHeapMemoryUsage();
    long searchMaxNanos = load.searches().takeRecentMaxNanos();
    lines.printRecord(
        arm,
        round,
        phase.label(),
        nowNanos,
        load.searches().finished(),
        load.updates().finished(),
        load.commits().finished(),
        searchMaxNanos < 0 ? null : searchMaxNanos,
        dirtyBytes,
        value(memInfo, MemInfo::writebackBytes),
        value(vmStat, VmStat::dirtyThresholdBytes),
        value(vmStat, VmStat::dirtyBackgroundThresholdBytes),
        value(vmStat, VmStat::dirtiedBytes),
        value(vmStat, VmStat::writtenBytes),
        mergeWrittenBytes,
        granted == null ? null : granted.grantedBytes(),
        meter.running(),
        mergeDebtBytes.get(),
        cap == null ? null : cap.state().name().toLowerCase(Locale.ROOT),
        cap == null || !cap.isLimited() ? null : cap.bytesPerSecond(),
        granted == null ? null : granted.waitNanos(),
        granted == null ? null : granted.waiting(),
        value(selfIo, IoCounters::readBytes),
        value(selfIo, IoCounters::writeBytes),
        value(pressure, Pressure::someTotalMicros),
        value(pressure, Pressure::fullTotalMicros),
        heap.getUsed(),
        box(procfs.selfRssBytes()),
        collectors.count(),
        collectors.millis(),
        heap.getCommitted());
    lines.flush();
    meter.reads().sample(); // last, because it may wait
  }

  /** The most dirty bytes seen; null when the kernel does not tell. */
  public DirtyResult dirty() {
    return peakDirtyBytes.isEmpty()
        ? null
        : new DirtyResult(
            peakDirtyBytes.values().stream().mapToLong(Long::longValue).max().orElseThrow(),
            Phases.each(peakDirtyBytes::get));
  }

  /** The most recent dirty bytes; null when the kernel does not tell. */
  public Long recentDirtyBytes() {
    return recentDirtyBytes;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private static <T> Long value(Optional<T> from, Function<T, OptionalLong> field) {
    return from.map(field).map(Sampler::box).orElse(null);
  }

  private static Long box(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }
}
