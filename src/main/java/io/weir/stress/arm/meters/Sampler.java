package io.weir.stress.arm.meters;

import io.weir.control.DeadlineSnapshot;
import io.weir.control.GoalDecision;
import io.weir.control.LatencyGoal;
import io.weir.procfs.IoCounters;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.procfs.VmStat;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.Rate;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.timeline.PhaseSpan;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Looks at everything at once and writes one line about it: the kernel's dirty pages, the merges
 * with their budget and its goal, the process, the load.
 *
 * <p>What cannot be read leaves its cell empty.
 *
 * <p><b>Threads:</b> {@link #sample} from one thread. <b>Ownership:</b> closes the lines.
 */
public final class Sampler implements SampleSource, Closeable {

  public static final String[] COLUMNS = {
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
    "heap_committed_bytes",
    "goal_limit_nanos",
    "goal_seen_nanos",
    "goal_floor_bytes_per_second",
    "goal_reason",
    "deadline_remaining_nanos"
  };

  private final Timeline timeline;
  private final Procfs procfs;
  private final MergeCounters merges;
  private final Load load;
  private final Optional<LatencyGoal> goal;
  private final Supplier<Optional<DeadlineSnapshot>> deadline;
  private final ArmCsv lines;
  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private final GcCounters collectors = new GcCounters();
  private final DirtyPeaks dirty = new DirtyPeaks();
  private final DeadlineWatch deadlines = new DeadlineWatch();

  /**
   * A sampler that has not looked yet.
   *
   * @param goal of the arm; empty if it has none
   * @param deadline of the large merge, if it has one and runs
   * @param lines with {@link #COLUMNS}
   */
  public Sampler(
      Timeline timeline,
      Procfs procfs,
      MergeCounters merges,
      Load load,
      Optional<LatencyGoal> goal,
      Supplier<Optional<DeadlineSnapshot>> deadline,
      ArmCsv lines) {
    this.timeline = timeline;
    this.procfs = procfs;
    this.merges = merges;
    this.load = load;
    this.goal = goal;
    this.deadline = deadline;
    this.lines = lines;
  }

  /** The counters of merges that it samples. */
  public MergeCounters merges() {
    return merges;
  }

  @Override
  public void sample() throws IOException {
    long nowNanos = timeline.nowNanos();
    Phase phase = timeline.phaseOf(nowNanos);
    Optional<MemInfo> memInfo = procfs.memInfo();
    Optional<VmStat> vmStat = procfs.vmStat();
    Optional<IoCounters> selfIo = procfs.selfIo();
    Optional<Pressure> pressure = procfs.ioPressure();
    dirty.add(phase, value(memInfo, MemInfo::dirtyBytes));
    MergeBytes bytes = MergeBytes.now(merges);
    Optional<Rate> cap = merges.throttle().map(weir -> weir.budget().rate());
    Optional<GoalDecision> decision = goal.flatMap(held -> held.snapshot().last());
    MemoryUsage heap = memory.getHeapMemoryUsage();
    long searchMaxNanos = load.searches().takeRecentMaxNanos();
    Optional<DeadlineSnapshot> outlook = deadline.get();
    outlook.ifPresent(seen -> deadlines.add(nowNanos, seen.remaining()));
    lines.line(
        phase.label(),
        nowNanos,
        load.searches().finished(),
        load.updates().finished(),
        load.commits().finished(),
        searchMaxNanos < 0 ? OptionalLong.empty() : OptionalLong.of(searchMaxNanos),
        dirty.recentBytes(),
        value(memInfo, MemInfo::writebackBytes),
        value(vmStat, VmStat::dirtyThresholdBytes),
        value(vmStat, VmStat::dirtyBackgroundThresholdBytes),
        value(vmStat, VmStat::dirtiedBytes),
        value(vmStat, VmStat::writtenBytes),
        bytes.writtenBytes(),
        bytes.granted().map(BudgetSnapshot::grantedBytes),
        merges.meter().running(),
        merges.throttle().map(weir -> weir.scheduler().debt().debtBytes()),
        cap.map(rate -> rate.state().name().toLowerCase(Locale.ROOT)),
        cap.filter(Rate::isLimited).map(Rate::bytesPerSecond),
        bytes.granted().map(BudgetSnapshot::waitNanos),
        bytes.granted().map(BudgetSnapshot::waiting),
        value(selfIo, IoCounters::readBytes),
        value(selfIo, IoCounters::writeBytes),
        value(pressure, Pressure::someTotalMicros),
        value(pressure, Pressure::fullTotalMicros),
        heap.getUsed(),
        procfs.selfRssBytes(),
        collectors.count(),
        collectors.millis(),
        heap.getCommitted(),
        decision.map(decided -> decided.target().limit().toNanos()),
        value(decision, GoalDecision::tailNanos),
        decision.map(GoalDecision::floorBytesPerSecond),
        decision.map(decided -> decided.reason().name().toLowerCase(Locale.ROOT).replace('_', '-')),
        outlook.flatMap(DeadlineSnapshot::remaining).map(Duration::toNanos));
    merges.meter().reads().sample(); // last, because it may wait
  }

  /** The most dirty bytes seen; empty where the kernel does not report them. */
  public Values dirty() {
    return dirty.values();
  }

  /**
   * How the deadline of the large merge came out; after the last sample.
   *
   * @param time from the beginning of the merge to its deadline
   * @param merge when it ran
   */
  public Values deadline(Duration time, PhaseSpan merge) {
    return deadlines.values(time, merge);
  }

  /** The most recent dirty bytes; empty where the kernel does not report them. */
  public Optional<Long> recentDirtyBytes() {
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
