package io.weir.stress.arm.meters;

import io.weir.control.DeadlineSnapshot;
import io.weir.control.GoalDecision;
import io.weir.control.LatencyGoal;
import io.weir.merge.MergeActivity;
import io.weir.procfs.CpuTimes;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.Rate;
import io.weir.run.MergeFigures;
import io.weir.run.Values;
import io.weir.stress.arm.meters.Sampler.Column;
import io.weir.stress.arm.timeline.Timeline;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * What samples tell of a writer in this JVM: its merges with their budget, goal and deadline, the
 * process, and who has the processors.
 *
 * <p><b>Threads:</b> {@link #sample} from one.
 */
public final class WriterSamples implements Sampler.Source {

  private final Procfs procfs;
  private final MergeCounters merges;
  private final Optional<LatencyGoal> goal;
  private final Supplier<Optional<DeadlineSnapshot>> deadline;
  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private final GcCounters collectors = new GcCounters();
  private final DeadlineWatch deadlines = new DeadlineWatch();

  /** Of an arm without a goal and a deadline. */
  public WriterSamples(Procfs procfs, MergeCounters merges) {
    this(procfs, merges, Optional.empty(), Optional::empty);
  }

  /**
   * Of any arm.
   *
   * @param deadline of the large merge, if it has one and runs
   */
  public WriterSamples(
      Procfs procfs,
      MergeCounters merges,
      Optional<LatencyGoal> goal,
      Supplier<Optional<DeadlineSnapshot>> deadline) {
    this.procfs = procfs;
    this.merges = merges;
    this.goal = goal;
    this.deadline = deadline;
  }

  @Override
  public void sample(Sampler.Line line) {
    MergeCounters.Bytes bytes = merges.bytes();
    Optional<Rate> cap = merges.throttle().map(weir -> weir.budget().rate());
    Optional<GoalDecision> decision = goal.flatMap(held -> held.snapshot().last());
    MemoryUsage heap = memory.getHeapMemoryUsage();
    Optional<DeadlineSnapshot> outlook = deadline.get();
    outlook.ifPresent(seen -> deadlines.add(line.nanos(), seen.remaining()));
    Optional<IoCounters> selfIo = procfs.selfIo();
    line.put(Column.MERGE_WRITTEN_BYTES, bytes.writtenBytes())
        .put(BudgetSnapshot.FIGURES, bytes.granted())
        .put(Column.MERGES_RUNNING, merges.meter().running())
        .put(MergeActivity.FIGURES, merges.throttle().map(MergeCounters.Throttle::scheduler))
        .put(Column.CAP_STATE, cap.map(rate -> rate.state().name().toLowerCase(Locale.ROOT)))
        .put(Column.CAP_BYTES_PER_SECOND, cap.filter(Rate::isLimited).map(Rate::bytesPerSecond))
        .put(Column.PROCESS_READ_BYTES, selfIo, IoCounters::readBytes)
        .put(Column.PROCESS_WRITTEN_BYTES, selfIo, IoCounters::writeBytes)
        .put(Column.HEAP_USED_BYTES, heap.getUsed())
        .put(Column.RSS_BYTES, procfs.selfRssBytes())
        .put(Column.GC_COUNT, collectors.count())
        .put(Column.GC_MILLIS, collectors.millis())
        .put(Column.HEAP_COMMITTED_BYTES, heap.getCommitted())
        .put(Column.GOAL_LIMIT_NANOS, decision.map(decided -> decided.target().limit().toNanos()))
        .put(Column.GOAL_SEEN_NANOS, decision, GoalDecision::tailNanos)
        .put(Column.GOAL_FLOOR_BYTES_PER_SECOND, decision.map(GoalDecision::floorBytesPerSecond))
        .put(
            Column.GOAL_REASON,
            decision.map(
                decided -> decided.reason().name().toLowerCase(Locale.ROOT).replace('_', '-')))
        .put(
            Column.DEADLINE_REMAINING_NANOS,
            outlook.flatMap(DeadlineSnapshot::remaining).map(Duration::toNanos))
        .put(Column.MERGE_CPU_NANOS, merges.meter().processorNanos())
        .put(Column.PROCESS_CPU_NANOS, nanos(procfs.selfTicks()))
        .put(
            Column.MACHINE_CPU_NANOS,
            nanos(procfs.cpuTimes().map(CpuTimes::busyTicks).orElse(OptionalLong.empty())));
    merges.meter().reads().sample(); // last, because it may wait
  }

  private static OptionalLong nanos(OptionalLong ticks) {
    return ticks.isPresent()
        ? OptionalLong.of(ticks.getAsLong() * CpuTimes.TICK_NANOS)
        : OptionalLong.empty();
  }

  /**
   * How the deadline of the large merge came out; after the last sample.
   *
   * @param time from the beginning of the merge to its deadline
   * @param merge when it ran
   */
  public Values deadline(Duration time, Timeline.Span merge) {
    return deadlines.values(time, merge);
  }

  /**
   * What a deadline predicted at each sample, compared with the end of the merge when that is
   * known.
   *
   * <p>The prediction that counts is that of the first sample after a third of the time that the
   * merge took. At ten samples a second, an hour of merging takes a megabyte.
   *
   * <p><b>Threads:</b> one at a time.
   */
  static final class DeadlineWatch {

    private static final int PARTS = 3;
    private static final double WHOLE_PERCENT = 100;

    /** A look at the deadline; without a value when it predicted nothing. */
    private record Look(long nanos, Optional<Duration> remaining) {}

    private final List<Look> looks = new ArrayList<>();

    /** What is predicted now; empty when nothing is. */
    void add(long nowNanos, Optional<Duration> remaining) {
      looks.add(new Look(nowNanos, remaining));
    }

    Values values(Duration time, Timeline.Span merge) {
      long tookNanos = merge.toNanos() - merge.fromNanos();
      Values.Builder values =
          Values.builder()
              .put(MergeFigures.DEADLINE, time.toNanos() / 1e9)
              .put(MergeFigures.DEADLINE_SPARE, (time.toNanos() - tookNanos) / 1e9);
      looks.stream()
          .filter(look -> PARTS * (look.nanos() - merge.fromNanos()) >= tookNanos)
          .findFirst()
          .filter(look -> look.nanos() < merge.toNanos())
          .flatMap(
              look ->
                  look.remaining()
                      .map(
                          predicted ->
                              prediction(
                                  predicted.toNanos() / 1e9,
                                  (merge.toNanos() - look.nanos()) / 1e9)))
          .ifPresent(values::put);
      return values.build();
    }

    private static Values prediction(double predictedSeconds, double actualSeconds) {
      return Values.builder()
          .put(MergeFigures.DEADLINE_PREDICTED, predictedSeconds)
          .put(MergeFigures.DEADLINE_ACTUAL, actualSeconds)
          .put(
              MergeFigures.DEADLINE_OFF,
              WHOLE_PERCENT * Math.abs(predictedSeconds - actualSeconds) / actualSeconds)
          .build();
    }
  }
}
